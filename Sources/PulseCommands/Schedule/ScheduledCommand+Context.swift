import Foundation
import PulseApp
import PulseCore
import PulseModels
import PulsePlatform

/// This program, as a schedule runs it.
extension ScheduledCommand {
    /// - Parameter folder: What relative paths are relative to.
    init(for context: Context, by scheduler: ScheduleKind, in folder: String, invokedAs name: String) throws(PulseError)
    {
        let program = Self.program(context, invokedAs: name, in: folder)
        let scheduled = ["--scheduled", scheduler.rawValue]
        let arguments = ["today", "--send"] + scheduled + Self.options(context, of: .today, in: folder)
        let preparation =
            context.settings.isPrepared
            ? ["prepare"] + scheduled + Self.options(context, of: .prepare, in: folder) : nil
        let environment = Self.environment(context, in: folder)
        for text in [program] + arguments + (preparation ?? []) + environment.flatMap({ [$0.key, $0.value] })
        where text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
            throw PulseError(.usage, "A schedule cannot hold a line break or another control character.")
        }
        self.init(program: program, arguments: arguments, preparation: preparation, environment: environment)
    }

    /// The name that it was called by, where that is the same file: a link that survives an update is better than the
    /// file of today's version.
    private static func program(_ context: Context, invokedAs name: String, in folder: String) -> String {
        let file = context.locations.executable
        let called =
            name.contains("/") ? absolute(name, in: folder) : ProgramSearch(environment: context.environment).find(name)
        guard let called, resolved(called) == resolved(file) else { return file }
        return called
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    // MARK: - Options

    /// What was given to `schedule install` and is meant for a command.
    private static func options(_ context: Context, of command: Command, in folder: String) -> [String] {
        let known = Set(command.allOptions.map(\.name)).subtracting(Command.scheduleOnly.map(\.name))
        var words: [String] = []
        for (option, values) in context.flags where known.contains(option.name) {
            for value in values {
                guard option.value != nil else {
                    words.append(value == "true" ? "--\(option.name)" : "--\(option.name)=\(value)")
                    continue
                }
                let value = portable(value, of: option, in: folder)
                words += value.hasPrefix("-") ? ["--\(option.name)=\(value)"] : ["--\(option.name)", value]
            }
        }
        // A sendmail that only this shell's PATH leads to.
        if known.contains(Option.sendmail.name), !context.isGiven(.sendmail), context.settings.mail.sendmail == nil,
            let found = ProgramSearch(environment: context.environment).find("sendmail", first: Sendmail.places),
            !Sendmail.places.contains(found)
        {
            words += ["--sendmail", found]
        }
        return words
    }

    /// An option's value as it means the same in every folder.
    private static func portable(_ value: String, of option: Option, in folder: String) -> String {
        let isPath =
            switch option.kind {
            case .plain: false
            case .path: true
            case .nameOrPath: Catalog.isPath(value)
            }
        return isPath && !value.hasPrefix("~") ? absolute(value, in: folder) : value
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : URL(fileURLWithPath: folder + "/" + path).standardizedFileURL.path
    }

    // MARK: - Environment

    private static let names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TZ"]

    private static func environment(_ context: Context, in folder: String) -> [String: String] {
        let all = context.environment
        var kept = all.filter { (names.contains($0.key) || $0.key.hasPrefix("PULSE_DIGEST_")) && !$0.value.isEmpty }
        // A schedule that went by a clock that stands still would send one digest, and no other.
        kept[Program.clockVariable] = nil
        for option in Command.today.allOptions {
            kept[option.environmentName] = kept[option.environmentName].map { portable($0, of: option, in: folder) }
        }
        // Not the locale, of which this is one part: the language that this shell gets. A profile's counts more.
        if !context.isGiven(.language) { kept[Option.language.environmentName] = context.settings.language.rawValue }
        // Schedulers take HOME from the user database.
        if let home = all["HOME"], !home.isEmpty, home != homeOfUser() { kept["HOME"] = home }
        return kept
    }

    private static func homeOfUser() -> String? {
        guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
        return String(cString: home)
    }
}
