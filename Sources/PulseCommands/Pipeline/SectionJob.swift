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
        let sections = telling.divide(selection.sections)
        let languages = sections.map { telling.promptLanguage(for: $0.foreignLanguage) }
        let templates = try PromptFiles(locations: context.locations).templates(for: .digest, in: languages)
        return zip(sections, zip(languages, templates)).map { section, prompt in
            SectionJob(section: section, template: prompt.1, language: prompt.0)
        }
    }
}

extension Settings {
    /// In which languages a model is asked to tell. One that is kept to the words of its source cannot translate.
    func telling(by model: ResolvedModel) -> Telling {
        Telling(in: language, translates: grounded(for: model) == .checked && model.entry?.translates == true)
    }
}
