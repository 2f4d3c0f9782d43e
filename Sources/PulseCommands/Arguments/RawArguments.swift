import Foundation
import PulseApp
import PulseCore
import PulseRendering

/// The command line and the settings file, before a command resolves its own arguments from them.
struct RawArguments: Sendable {
    /// The settings of each profile of the file, sorted by name.
    let profiles: [Settings]
    /// The options as they were given on the command line.
    var flags: [(option: Option, values: [String])]
    /// The first error in the settings; nil: none. Invalid settings are ignored.
    let settingsFault: PulseError?
    /// The name or path by which a shell called the program.
    let programName: String
}

/// A run before its command's arguments are resolved.
typealias RawContext = CommandContext<RawArguments>

extension RawContext {
    var profiles: [Settings] { arguments.profiles }
    var flags: [(option: Option, values: [String])] { arguments.flags }

    /// Whether an option is on the command line; a switch that is turned off there does not count.
    func isGiven(_ option: Option) -> Bool {
        flags.contains { flag, values in
            flag.name == option.name && (flag.value != nil || (try? Value.isOn(values)) == true)
        }
    }

    func requireOneWindow() throws {
        let given = [Option.hours, .since, .sinceLast, .week].filter(isGiven).map { "--" + $0.name }
        guard given.count > 1 else { return }
        throw PulseError.contradiction("\(given[0]) and \(given[1]) both say how far back to go.")
    }

    // MARK: - Digests

    /// The digest that these settings ask for.
    ///
    /// - Parameter isMailed: Whether it is sent by mail.
    func request(_ settings: Settings, isMailed: Bool) throws -> DigestRequest {
        var request = settings.digest
        request.profile = settings.profile
        request.language = settings.language
        request.window = try window(settings, isMailed: isMailed)
        request.isWindowNamed = isGiven(.hours) || isGiven(.since)
        // A category without articles must not make a scheduled run fail.
        if settings.scheduler == nil {
            request.namedCategories = isGiven(.category) ? request.categories : []
            request.namedSources = isGiven(.source) ? request.sources : []
            request.namedMuteSources = isGiven(.muteSource) ? request.muteSources : []
            request.namedSections = isGiven(.section) ? request.sections : []
            request.namedMute = isGiven(.mute) ? request.mute : []
        }
        request.isPart = [Option.category, .source, .mute, .muteSource].contains(where: isGiven)
        return request
    }

    private func window(_ settings: Settings, isMailed: Bool) throws -> DigestRequest.Window {
        if settings.output.isWeek { return .week }
        return switch settings.window {
        // This setting is for printed digests: in a mail it would repeat articles, or miss some.
        case .hours where isMailed && !isGiven(.hours): .sinceLast
        case .hours(let hours): .hours(hours)
        case .since(let text): .since(try moment(text))
        case .sinceLast: .sinceLast
        case nil: isMailed ? .sinceLast : .hours(48)
        }
    }

    private func moment(_ text: String) throws -> Date {
        try DateWords(now: now, calendar: calendar).moment(text, for: "--since")
    }

    func reader(_ settings: Settings, isMailed: Bool) throws -> DigestReader {
        DigestReader(
            request: try request(settings, isMailed: isMailed), model: model(settings), to: settings.to,
            from: settings.output.from)
    }

    /// The settings of each reader. With --profile or --to there is a single reader; otherwise each profile with an
    /// address, and the top level unless only profiles have an address.
    var readerSettings: [Settings] {
        guard settings.profile.isEmpty, !isGiven(.to) else { return [settings] }
        let others = profiles.filter { !$0.to.isEmpty }
        return settings.to.isEmpty && !others.isEmpty ? others : [settings] + others
    }

    /// The readers of this run, with requests for mailed digests.
    func mailReaders() throws -> [DigestReader] {
        try readerSettings.map { settings in try reader(settings, isMailed: true) }
    }

    /// The same readers, with requests for digests written in advance: mailed if the reader has an address.
    func preparedReaders() throws -> [DigestReader] {
        try readerSettings.map { settings in try reader(settings, isMailed: !settings.to.isEmpty) }
    }

    /// All readers with their profiles: `you@example.org, ana@example.org (ana)`; nil if there are no profiles.
    var readerNames: Message? {
        guard !profiles.isEmpty else { return nil }
        let addressed = ([settings] + profiles).filter { !$0.to.isEmpty }
        let others: [Message] = profiles.filter(\.to.isEmpty).map { "\($0.profile): no address" }
        return (addressed.map { Message(verbatim: DigestReader.name($0.to, profile: $0.profile)) } + others)
            .joined(separator: ", ")
    }

    // MARK: - Models

    func model(_ settings: Settings) -> ModelSettings {
        var model = settings.model
        model.isLogged = settings.isVerbose
        model.isHashed = settings.format == .json && !settings.isSent
        return model
    }

    var model: ModelSettings { model(settings) }

    // MARK: - Imports and feeds

    var importer: Importer {
        Importer(in: app, settings: settings.importing, standardInput: console.input, reporter: reporter)
    }

    var importing: CommandContext<ImportArguments> { with(arguments: ImportArguments(self)) }

    var accountSetup: AccountSetup {
        var account = settings.account
        account.isConfirmed = settings.isConfirmed
        return AccountSetup(in: app, settings: account, questioner: questioner, reporter: reporter)
    }

    var feedRefresh: FeedRefresh {
        FeedRefresh(
            in: app, services: settings.services.services(in: app), keepUnreadDays: settings.keepUnreadDays,
            reporter: reporter)
    }

    var feedAddition: FeedAddition {
        FeedAddition(
            in: app, services: settings.services.services(in: app), questioner: questioner, reporter: reporter)
    }

    // MARK: - Lists

    var list: ListArguments { ListArguments(limit: settings.limit, isJSON: settings.format == .json) }

    func filter() throws -> ListFilter {
        var since: Date?
        if case .since(let text) = settings.window { since = try moment(text) }
        return ListFilter(since: since, category: settings.listedCategory, source: settings.listedSource)
    }
}

extension PulseError {
    /// The error for two options of which only one can be given.
    static func contradiction(_ message: Message) -> PulseError {
        PulseError(.usage, message, hint: "Leave one of them out.")
    }
}

struct ListArguments {
    let limit: Int
    let isJSON: Bool
}

extension CommandContext {
    var referenceResolver: ReferenceResolver { ReferenceResolver(in: app, reporter: reporter) }
}
