import PulseCore
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct BrowserTests {
    /// The variable as its convention has it, and what is run; `U` stands for the address.
    @Test(arguments: [
        ("", []), ("firefox", [["firefox", "U"]]), ("lynx:w3m", [["lynx", "U"], ["w3m", "U"]]),
        ("firefox --new-tab", [["firefox", "--new-tab", "U"]]), ("a --open=%s --b", [["a", "--open=U", "--b"]]),
        ("a '%s'", [["a", "U"]]), ("a \"%s\"", [["a", "U"]]), ("a 5%% %c", [["a", "5%", ":", "U"]]),
        ("a %%s", [["a", "%s", "U"]]), ("a $(reboot);b", [["a", "$(reboot);b", "U"]]), (": :a", [["a", "U"]]),
        ("a %", [["a", "%", "U"]]),
    ])
    func commands(variable: String, words: [[String]]) {
        let address = "https://a.example/?q=%s%20'$(reboot)'"
        #expect(Browser.commands(variable, address) == words.map { $0.map { $0.replacing("U", with: address) } })
    }

    /// The voice is the one of the text's region, where the program knows it.
    @Test(arguments: [
        ("pt", "pt-BR", "pt-br"), ("pt-PT", "pt-PT", "pt-pt"), ("en", "en-GB", "en-gb"), ("ja", "ja", "ja"),
    ])
    func voices(tag: String, dispatcher: String, espeak: String) {
        #expect(
            Speaker.Synthesizer.speechDispatcher.arguments(language: tag, isOwn: true)
                == ["--pipe-mode", "--wait", "--language", dispatcher])
        #expect(Speaker.Synthesizer.espeak.arguments(language: tag, isOwn: true) == ["--stdin", "-v", espeak])
        #expect(Speaker.Synthesizer.say.arguments(language: tag, isOwn: true) == ["-f", "-"])
    }
}
