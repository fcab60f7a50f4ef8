//! The person's commands about options.

use crate::config::{OPTIONS, OptionKind, SYZYGY_PATH, find_option};
use crate::protocol::command::Command;
use crate::protocol::format::escape_invisible;
use crate::protocol::machine::Machine;

use super::client::{TerminalClient, quoted};
use super::confirmation::option_value;

impl TerminalClient {
    /// Sets an option or presses a button; shows the value of an option if none follows its name.
    pub(super) fn set_option(&mut self, name: String, value: Option<String>, machine: &Machine) {
        if value.is_none()
            && let Some(text) = option_value(&name, machine)
        {
            return self.say(&text);
        }
        if value.is_none()
            && let Some(text) = correct_setting(&name)
        {
            return self.say(&text);
        }
        let value = value.map(|value| match find_option(&name) {
            Some(option) if option.name == SYZYGY_PATH => {
                self.environment.with_home_in_list(value.trim())
            }
            Some(option)
                if matches!(
                    option.kind,
                    OptionKind::File { .. } | OptionKind::Path { .. }
                ) =>
            {
                self.environment.with_home(value.trim())
            }
            _ => value,
        });
        match &value {
            Some(value) => self.command(&format!("option {name}={value}")),
            None => self.command(&format!("option {name}")),
        }
        self.unanswered = Some(Command::Option { name, value });
    }

    /// Sets the folders of the tablebases of this type.
    pub(super) fn set_tablebase_path(&mut self, kind: String, path: &str) {
        let path = self.environment.with_home_in_list(path);
        self.command(&format!("egtpath {kind} {path}"));
        self.unanswered = Some(Command::TablebasePath { kind, path });
    }

    /// Lists the options with their values.
    pub(super) fn list_options(&mut self, machine: &Machine) {
        let values = machine.config().option_values();
        let options = OPTIONS.iter().map(|option| match values.get(option) {
            Some(value) => format!("{}={}", option.name, escape_invisible(&value)),
            None => option.name.to_owned(),
        });
        let list = options.collect::<Vec<_>>().join("\n  ");
        self.say(&format!(
            "option NAME=VALUE changes an option, option NAME presses a button; gaur man explains all:\n\n  {list}"
        ));
    }
}

/// Returns the correct form of the setting `NAME VALUE` in a sentence, if an option has this name.
fn correct_setting(text: &str) -> Option<String> {
    let (name, value) = text.split_once(char::is_whitespace)?;
    let option = find_option(name)?;
    let (name, value) = (option.name, quoted(value));
    Some(match option.kind.button_action() {
        Some(_) => format!("{name} has no value. Write option {name}."),
        None => format!("An option is set with =. Write option {name}={value}."),
    })
}
