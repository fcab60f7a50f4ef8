//! The sections of the manual page that neither the command line nor the table of options defines. Backquotes enclose
//! what is printed in bold.

/// A section of the page.
pub(super) struct Section {
    /// Heading.
    pub heading: &'static str,
    /// Content, in order.
    pub parts: &'static [Part],
}

/// A part of a section.
pub(super) enum Part {
    /// A paragraph.
    Text(&'static str),
    /// A term and its explanation.
    Entry(&'static str, &'static str),
    /// A line that the user types, and its explanation.
    Example(&'static str, &'static str),
}

use Part::{Entry, Example, Text};

/// Sections before the options of the command line.
pub(super) const BEFORE_OPTIONS: &[Section] = &[Section {
    heading: "DESCRIPTION",
    parts: &[
        Text(
            "Gaur is a chess engine. It speaks the xboard/WinBoard protocol (CECP, version 2) on standard input and \
             output, so that a graphical interface such as xboard(6) shows the board. It plays chess and Fischer \
             Random chess, ponders, analyses and plays on chess servers. It does not speak UCI.",
        ),
        Text(
            "Without a command, Gaur speaks the protocol until it reads `quit` or its input ends. In a terminal, \
             type a move such as `e4`, `help` or `quit`. The commands below analyse positions, measure \
             Gaur and edit opening books; they do not play.",
        ),
        Text(
            "Protocol options apply in this order, and later ones replace earlier ones: the defaults; the file that \
             `GAUR_SETTINGS` names; the files of `--settings`, in their order; `GAUR_LOG`; the options of `--set`, in \
             their order; the commands of the graphical interface. The first command already finds them applied. Gaur \
             reports a wrong option, or a wrong or missing file, on standard error and to the interface, ignores it, \
             and plays on.",
        ),
    ],
}];

/// Introduction to the options of the protocol.
pub(super) const PROTOCOL_OPTIONS: &str = "Graphical interfaces show these options in a dialog. `--set`, a settings \
    file and the command `option NAME=VALUE` of the protocol set them, too. Upper and lower case are equivalent.";

/// Sections after the options of the protocol.
pub(super) const AFTER_PROTOCOL_OPTIONS: &[Section] = &[
    Section {
        heading: "ENVIRONMENT",
        parts: &[
            Entry(
                "GAUR_SETTINGS",
                "Settings file to load at the start. Its options apply before those of `--settings` and `--set`. Commands \
                 such as `bench` and `latency` ignore it.",
            ),
            Entry(
                "GAUR_LOG",
                "Folder for logs of all traffic, from the first line on. It replaces `LogFolder` of the settings files \
                 that are loaded at the start. Commands such as `bench` and `latency` ignore it.",
            ),
            Entry(
                "NO_COLOR",
                "If it is set and not empty, Gaur prints no colours.",
            ),
        ],
    },
    Section {
        heading: "FILES",
        parts: &[
            Text(
                "A settings file has one line NAME=VALUE for each option, without buttons, `SettingsFile` and \
                 `LogNote`. Lines that begin with `#` are comments; options that the file does not name keep their \
                 values. Gaur applies all of a file or, if a line is wrong, none of it. `SaveSettings` writes such a \
                 file with the values of all options to `SettingsFile`, which is the settings file loaded last. It \
                 replaces no file that Gaur has not read or written.",
            ),
            Text(
                "A relative name of a file or folder starts from the folder in which the interface runs Gaur, and `~` \
                 has no meaning where no shell replaces it: use absolute names there.",
            ),
            Text(
                "With `BookLearning`, Gaur keeps results of the book BOOK in BOOK.learned, and of the built-in book in \
                 ~/.local/share/gaur/book.learned (in the folder gaur of `XDG_DATA_HOME` if it is set; on Windows in \
                 %APPDATA%\\gaur). Beside this file there is an empty one whose name ends with .lock.",
            ),
            Text(
                "Gaur reads no other file unless an option names one. A log has the name \
                 gaur-DATE-PROCESS-NUMBER.log in the folder `LogFolder`; the newest 20 are kept.",
            ),
        ],
    },
    Section {
        heading: "EXIT STATUS",
        parts: &[
            Entry(
                "0",
                "The conversation has ended, or the command has succeeded.",
            ),
            Entry(
                "1",
                "Gaur could not start, for example for lack of memory, or had an internal error; or `gaur book check` has \
                 found faults.",
            ),
            Entry(
                "2",
                "The arguments are wrong, or a command could not use a file. A wrong option or settings file does not \
                 end Gaur while it speaks the protocol.",
            ),
        ],
    },
    Section {
        heading: "EXAMPLES",
        parts: &[
            Example("xboard -fcp gaur", "Play White against Gaur in XBoard:"),
            Example(
                "xboard -fcp \"gaur --set Resign=600 --set MoveOverhead=100\"",
                "Let Gaur resign when six pawns behind, with more time for a slow connection:",
            ),
            Example(
                "gaur --settings /etc/gaur/server.txt",
                "Use the options of a file in an interface that cannot set options; `SaveSettings` writes such a file:",
            ),
            Example(
                "GAUR_LOG=/tmp/gaur-logs xboard -fcp gaur",
                "Write a log for a bug report:",
            ),
            Example(
                "gaur perft 5",
                "Count the positions five half-moves after the start position:",
            ),
        ],
    },
    Section {
        heading: "SEE ALSO",
        parts: &[Text("xboard(6)")],
    },
];
