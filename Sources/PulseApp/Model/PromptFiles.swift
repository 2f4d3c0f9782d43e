import Foundation
package import PulseCore
package import PulseDigest

/// Finds the prompts: the user's own beside the settings, else those that came with the program.
package struct PromptFiles {
    private let locations: Locations

    package init(in locations: Locations) { self.locations = locations }

    /// One a language, each file read once.
    func templates(
        for job: PromptTemplate.Job, in languages: [Language]
    ) throws(PulseError) -> [PromptTemplate] {
        var known: [Language: PromptTemplate] = [:]
        var templates: [PromptTemplate] = []
        for language in languages {
            let template: PromptTemplate
            if let read = known[language] {
                template = read
            } else {
                template = try self.template(for: job, in: language)
                known[language] = template
            }
            templates.append(template)
        }
        return templates
    }

    package func template(for job: PromptTemplate.Job, in language: Language) throws(PulseError) -> PromptTemplate {
        let name = "\(job.rawValue).\(language.code).md"
        let folders = [locations.configuration, locations.resources].compactMap { $0.map { $0 + "/prompts" } }
        guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.fileExists) else {
            let places = folders.map(Message.init(verbatim:)).joined(separator: " or in ")
            throw PulseError(
                .configuration, "The prompt \(name) is missing; it belongs in \(places).",
                hint: "Reinstall pulse-digest, or put a prompt of your own there.")
        }
        guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
        else {
            throw PulseError(
                .configuration, "The prompt \(path) cannot be read as UTF-8 text.",
                hint: "Check it and its permissions.")
        }
        return try PromptTemplate(job: job, parsing: text, from: path)
    }
}
