import PulseApp
import PulseCore

/// Maps other common names of commands, options and operands to the program's own.
enum Synonyms {
    /// Commands; two words are a command and its subcommand.
    private static let commands = [
        "digest": "today", "run": "today", "hoy": "today", "hoje": "today", "send": "today --send",
        "mail": "today --send", "yesterday": "today --date yesterday", "week": "today --week",
        "unread": "today --basis unread",
        "fetch": "import", "sync": "import", "update": "import", "ls": "history list", "list": "history list",
        "find": "history search", "search": "history search", "grep": "history search", "buscar": "history search",
        "show": "history show", "read": "history show", "summarise": "summarize", "ayuda": "help", "ajuda": "help",
        "abrir": "open", "ouvrir": "open", "stats": "history stats",
        "delete": "history remove", "forget": "history remove", "download": "models pull", "set": "config set",
        "settings": "config", "check": "doctor", "cron": "schedule install", "history delete": "history remove",
        "history forget": "history remove", "history rm": "history remove", "history find": "history search",
        "models download": "models pull", "models add": "models pull", "models rm": "models remove",
        "models delete": "models remove", "models use": "config set model", "schedule stop": "schedule remove",
        "schedule off": "schedule remove", "schedule disable": "schedule remove", "schedule delete": "schedule remove",
        "schedule uninstall": "schedule remove", "schedule list": "schedule show", "config show": "config list",
        "prompt": "prompts",
        "prompts remove": "prompts reset", "prompts rm": "prompts reset", "prompts delete": "prompts reset",
        "bookmarks delete": "bookmarks remove", "bookmarks rm": "bookmarks remove",
        "feeds import": "feeds import-opml", "feeds export": "feeds export-opml", "feeds rm": "feeds remove",
        "feeds delete": "feeds remove", "feeds update": "feeds refresh", "feeds fetch": "feeds refresh",
        "feeds unread": "feeds waiting",
    ]

    /// Options without their dashes, also for words typed in place of options. `VALUE` is the word that follows.
    private static let options = [
        "mail": "send --to VALUE", "email": "send --to VALUE", "limit": "max-stories VALUE",
        "email-to": "send --to VALUE", "recipient": "to VALUE", "days": "since VALUEd",
        "week": "week", "weekly": "week", "unread": "basis unread", "bookmarks": "basis bookmarks",
        "starred": "basis bookmarks", "no-color": "color never", "no-colour": "color never", "nocolor": "color never",
        "out": "output VALUE", "file": "output VALUE", "day": "date VALUE", "count": "max-stories VALUE",
        "lang": "language VALUE", "topic": "category VALUE", "publication": "source VALUE", "read-aloud": "speak",
    ]

    /// Other programs' options for this one's default behaviour.
    private static let writing: Set<String> = ["llm", "ai", "stream", "no-stream", "summarize", "rewrite"]

    /// The command that a word may stand for; nil: none.
    static func command(_ word: String, below parent: String? = nil) -> String? {
        commands[parent.map { "\($0) \(word)" } ?? word]
    }

    /// The suggestion for an option that the command does not have; nil: none.
    static func option(_ name: String, value: String?, of command: Command?) -> Message? {
        let known = command?.allOptions ?? Option.everywhere
        if writing.contains(name), known.contains(where: { $0.name == Option.model.name }) {
            return "A model on this machine writes by default. To choose another: --model NAME. To see the models: "
                + "pulse-digest models"
        }
        return option(name, value: value, among: known).map { "Did you mean \($0)?" }
    }

    private static func option(_ name: String, value: String?, among known: [Option]) -> String? {
        let value = value.map { $0.hasPrefix("-") ? nil : $0 } ?? nil
        if value?.contains("@") != true,
            known.contains(where: { $0.name == Option.formatName && $0.choices.contains(name) })
        {
            return "--format \(name)"
        }
        guard let meant = options[name] else { return nil }
        let first = meant.prefix { $0 != " " }
        guard known.contains(where: { $0.name == first }) else { return nil }
        let placeholder = name.hasSuffix("mail") || name.hasPrefix("email") ? "ADDRESS" : "VALUE"
        return "--" + meant.replacing("VALUE", with: value ?? placeholder)
    }

    /// The suggestion for an operand that the command does not take; nil: none.
    static func operand(_ word: String, of command: Command) -> String? {
        if command.options.contains(where: { $0.name == Option.date.name }), DateWords.knows(word) {
            return "--date \(word)"
        }
        if word.contains("@"), command.options.contains(where: { $0.name == Option.to.name }) { return "--to \(word)" }
        return option(word.lowercased(), value: nil, among: command.allOptions)
    }

    /// The hint for services and readers that only export a list of feeds; `import` does not know their names.
    static func source(_ word: String) -> Message? {
        guard ["feedly", "inoreader", "theoldreader", "netvibes", "reeder", "opml"].contains(word.lowercased()) else {
            return nil
        }
        return "To follow the feeds of a list that it exports (OPML): pulse-digest feeds import-opml FILE"
    }
}
