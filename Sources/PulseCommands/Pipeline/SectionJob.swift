import PulseCore
import PulseModels

/// A section of a digest that is to be written, with the prompt file of the language it is told in.
struct SectionJob: Sendable {
    let section: Selection.Section
    let template: PromptTemplate
    /// The prompt file's.
    let language: Language

    /// The sections of a selection, divided by language where the model does not translate.
    static func all(
        for selection: Selection, by model: ResolvedModel, context: Context
    ) throws(Failure) -> [SectionJob] {
        let telling = context.settings.telling(by: model)
        let files = PromptFiles(locations: context.locations)
        var templates: [Language: PromptTemplate] = [:]
        var jobs: [SectionJob] = []
        for section in telling.divide(selection.sections) {
            let language = telling.promptLanguage(for: section.foreignLanguage)
            let template: PromptTemplate
            if let known = templates[language] {
                template = known
            } else {
                template = try files.template(for: .digest, in: language)
                templates[language] = template
            }
            jobs.append(SectionJob(section: section, template: template, language: language))
        }
        return jobs
    }
}

extension Settings {
    /// In which languages a model is asked to tell. One that is kept to the words of its source cannot translate.
    func telling(by model: ResolvedModel) -> Telling {
        Telling(in: language, translates: grounded(for: model) == .checked && model.entry?.translates == true)
    }
}
