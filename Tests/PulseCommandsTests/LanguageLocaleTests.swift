import PulseApp
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct LanguageLocaleTests {
    @Test(
        arguments: [
            ([:], nil), (["LANG": "pt_BR.UTF-8"], .portuguese), (["LANG": "pt"], .portuguese),
            (["LANG": "pt_PT.UTF-8"], .europeanPortuguese), (["LANG": "pt_PT"], .europeanPortuguese),
            (["LANG": "pt_PT@euro"], .europeanPortuguese), (["LANG": "pt_AO.UTF-8"], .portuguese),
            (["LANG": "es_419"], .spanish), (["LANG": "es_ES@euro"], .spanish), (["LANG": "ES"], .spanish),
            (["LANG": "en_US.UTF-8"], .english), (["LANG": "fr_FR.UTF-8"], .french), (["LANG": "fr_CA"], .french),
            (["LANG": "C"], nil), (["LANG": "POSIX"], nil),
            (["LANG": "C.UTF-8"], nil),
            (["LANG": "de_DE.UTF-8"], nil), (["LANG": "ptx_BR"], nil), (["LANG": ""], nil), (["LANG": "_"], nil),
            (["LANG": "est_EE"], nil),
            // The first that is set decides, whatever it says.
            (["LC_ALL": "es_MX", "LC_MESSAGES": "pt_BR", "LANG": "en_US"], .spanish),
            (["LC_ALL": "", "LC_MESSAGES": "pt_BR", "LANG": "es_ES"], .portuguese),
            (["LC_ALL": "C", "LANG": "es_ES"], nil), (["LC_CTYPE": "pt_BR", "LANG": "es_ES"], .spanish),
        ] as [([String: String], Language?)])
    func theLocaleNamesALanguage(environment: [String: String], language: Language?) {
        #expect(Language(localeOf: environment) == language)
    }

    private func settings(
        _ environment: [String: String], _ flags: [(option: Option, values: [String])] = []
    ) throws -> Settings {
        try SettingsReader(environment: environment, configurationFile: "/nonexistent")
            .settings(flags: flags)
    }

    @Test func flagsAndSettingsBeatTheLocale() throws {
        #expect(try settings([:]).language == .english)
        #expect(try settings(["LANG": "pt_BR.UTF-8"]).language == .portuguese)
        #expect(try settings(["LANG": "pt_BR", "PULSE_DIGEST_LANGUAGE": "es"]).language == .spanish)
        #expect(
            try settings(["LANG": "pt_BR", "PULSE_DIGEST_LANGUAGE": "es"], [(.language, ["en"])]).language == .english)
    }

    /// Who asks for Portuguese where it is Portugal's gets that; who asks for either gets it anywhere.
    @Test(arguments: [
        ("pt_PT.UTF-8", "pt", Language.europeanPortuguese), ("pt_BR.UTF-8", "pt", .portuguese),
        ("C", "pt", .portuguese),
        ("C", "pt-PT", .europeanPortuguese), ("pt_BR", "pt-pt", .europeanPortuguese), ("pt_PT", "es", .spanish),
        ("pt_PT", "pt-BR", .portuguese), ("pt_PT", "português", .europeanPortuguese),
    ])
    func whichPortuguese(locale: String, asked: String, language: Language) throws {
        #expect(try settings(["LANG": locale], [(.language, [asked])]).language == language)
        #expect(try settings(["LANG": locale, "PULSE_DIGEST_LANGUAGE": asked]).language == language)
    }

    @Test(
        arguments: [
            ("en_GB", .english), ("en-gb", .english), ("EN", .english), ("English", .english), ("pt_BR", .portuguese),
            ("pt_PT.UTF-8", .europeanPortuguese), ("es-MX", .spanish), ("es_419", .spanish), ("fr_CA", .french),
            ("Português", .portuguese), ("portugues", .portuguese), ("ESPAÑOL", .spanish), ("français", .french),
            ("klingon", nil), ("enx", nil), ("-", nil), ("C", nil),
        ] as [(String, Language?)])
    func aLanguageIsNamedAsPeopleWriteIt(text: String, language: Language?) throws {
        if let language {
            #expect(try settings([:], [(.language, [text])]).language == language)
            #expect(try settings(["PULSE_DIGEST_LANGUAGE": text]).language == language)
        } else {
            try fails(.usage, "is one of: en, pt, ") { try settings([:], [(.language, [text])]) }
        }
    }

    @Test func topicsOfAnEnvironmentVariableAreParted() throws {
        #expect(try settings(["PULSE_DIGEST_MUTE": "football, São Paulo,,"]).digest.mute == ["football", " São Paulo"])
        #expect(try settings([:], [(.follow, ["science", "deep sea"])]).digest.follow == ["science", "deep sea"])
        #expect(try settings(["PULSE_DIGEST_MUTE": "football"], [(.mute, [""])]).digest.mute == [])
        // A publication may have a comma in its name.
        #expect(try settings(["PULSE_DIGEST_MUTE_SOURCE": "Herald, The"]).digest.muteSources == ["Herald, The"])
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], true), (["TERM": "tmux-256color"], true), (["TERM": "foot"], true),
        (["TERM": "linux"], false), (["TERM": "eterm-color"], false), ([:], false), (["TERM": ""], false),
        (["TERM": "xterm", "INSIDE_EMACS": "29.1,comint"], false), (["TERM": "xterm", "VTE_VERSION": "4803"], false),
        (["TERM": "xterm", "VTE_VERSION": "7006"], true),
    ])
    func whichTerminalsTakeLinks(environment: [String: String], takes: Bool) {
        #expect(Console.takesLinks(environment) == takes)
    }
}
