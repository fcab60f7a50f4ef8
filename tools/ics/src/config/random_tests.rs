//! Tests of the configuration file with random texts.

use proptest::prelude::*;

use super::tests::parse;
use super::*;

proptest! {
    #[test]
    fn any_text_is_refused_or_valid(text in "([a-z_]{1,6}( = |\\.|\\[|\\]|\\{|\"|'|=)?|[0-9\n#,-]| |\\PC){0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn any_value_of_a_known_key_is_refused_at_its_line(
        key in prop::sample::select(vec!["port", "host", "account", "commands", "keep_alive", "timeseal"]),
        value in "(-?[0-9]{1,25}|true|1\\.5|1979-05-27|\
            \"[a-zé;\\\\n]{0,30}\"|\\[(\"[a-z ]{0,3}\",|[0-9]{1,3},|,|-){0,3}\\])",
    ) {
        if let Err(problems) = parse(&format!("# é\n[server]\n{key} = {value}\n")) {
            prop_assert!(!problems.is_empty());
            for problem in problems {
                prop_assert_eq!(problem.line, 3, "{}", problem);
            }
        }
    }

    #[test]
    fn quoted_words_survive_splitting(words in prop::collection::vec("[a-z \\\\\"]{0,8}", 0..5)) {
        let text: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        prop_assert_eq!(CommandLine::split(&text.join(" ")).unwrap().0, words);
    }
}
