import PulseCore

/// A command line as a user would type it, for the help and the man page.
struct Example: Sendable {
    let line: String
    /// What it does, in a few words.
    let meaning: Message

    init(_ line: String, _ meaning: Message) {
        self.line = line
        self.meaning = meaning
    }
}

extension Example {
    /// One to three examples for each command that can run, by its path.
    static let all: [String: [Example]] = [
        "today": [
            Example("pulse-digest today", "what you read in the last two days"),
            Example("pulse-digest today --format html > digest.html", "a page to keep or to forward"),
            Example("pulse-digest today --basis unread", "what waits in your feeds"),
        ],
        "summarize": [
            Example("pulse-digest summarize 3", "story 3 of the last digest"),
            Example("curl -s https://www.herald.example/page.html | pulse-digest summarize -", "a page of the web"),
        ],
        "ask": [
            Example("pulse-digest ask 'who wants to buy the old harbour?'", "an answer with its sources"),
            Example("pulse-digest ask 'the ferry strike last week' --model none", "the passages themselves"),
        ],
        "import": [
            Example("pulse-digest import", "from the readers on this machine"),
            Example("pulse-digest import ~/Downloads/export.csv", "from a file, whatever it is"),
            Example("pulse-digest import miniflux https://reader.example.org", "from a server"),
        ],
        "history list": [
            Example("pulse-digest history", "the 20 articles you read last"),
            Example("pulse-digest history list --since yesterday --source 'The Herald'", "those of one publication"),
        ],
        "history search": [
            Example("pulse-digest history search central bank", "articles that contain both words"),
            Example("pulse-digest history search -- -40", "a word that begins with a dash"),
        ],
        "history show": [
            Example("pulse-digest history show 3", "story 3 of the last digest"),
            Example("pulse-digest history show 560d9a6", "the article with this id"),
        ],
        "history stats": [Example("pulse-digest history stats", "how much you read, and of what")],
        "history export": [
            Example("pulse-digest history export > history.jsonl", "a copy of everything"),
            Example("pulse-digest history export --since 2026-11-01 --output november.jsonl", "a part of it"),
        ],
        "history remove": [Example("pulse-digest history remove 560d9a6", "delete this article, after a question")],
        "history clear": [Example("pulse-digest history clear --yes", "delete everything, without a question")],
        "bookmarks list": [Example("pulse-digest bookmarks", "the latest first")],
        "bookmarks add": [Example("pulse-digest bookmarks add 3", "keep story 3 of the last digest")],
        "bookmarks remove": [Example("pulse-digest bookmarks remove 560d9a6", "the one with this id")],
        "bookmarks export": [Example("pulse-digest bookmarks export > bookmarks.jsonl", "to keep them elsewhere")],
        "open": [
            Example("pulse-digest open 3", "story 3 of the last digest, in your browser"),
            Example("pulse-digest open a1", "the first source of the last answer"),
        ],
        "share": [Example("pulse-digest share 3 --format markdown", "a link to paste")],
        "feeds list": [Example("pulse-digest feeds", "what you follow, with its numbers")],
        "feeds add": [
            Example("pulse-digest feeds add https://example.org", "the feed of a page"),
            Example("pulse-digest feeds add guardian:world", "a section of the Guardian"),
        ],
        "feeds preview": [
            Example("pulse-digest feeds preview https://example.org", "what is in it, before you follow it")
        ],
        "feeds refresh": [Example("pulse-digest feeds refresh", "ask all of them for what is new")],
        "feeds waiting": [Example("pulse-digest feeds waiting", "what you have not read")],
        "feeds mark": [Example("pulse-digest feeds mark 2", "be done with what waits in feed 2")],
        "feeds remove": [Example("pulse-digest feeds remove 2", "stop following feed 2")],
        "feeds import-opml": [Example("pulse-digest feeds import-opml feeds.opml", "what another reader follows")],
        "feeds export-opml": [Example("pulse-digest feeds export-opml > feeds.opml", "for another reader")],
        "related": [Example("pulse-digest related 3", "what else you read about story 3")],
        "story": [Example("pulse-digest story 3", "how story 3 went, day by day")],
        "schedule install": [
            Example("pulse-digest schedule install --to you@example.org", "every day at 22:00"),
            Example("pulse-digest schedule install --at 7:30 --systemd --to you@example.org", "every morning"),
        ],
        "prepare": [
            Example("pulse-digest prepare", "write ahead what today will ask")
        ],
        "schedule show": [Example("pulse-digest schedule", "when it runs next, and how the last run ended")],
        "schedule remove": [Example("pulse-digest schedule remove --dry-run", "what would be removed")],
        "schedule retry": [
            Example("pulse-digest schedule retry", "sendmail was stopped, and the email has not arrived")
        ],
        "schedule drop": [
            Example("pulse-digest schedule drop me@exmaple.org", "an email to a mistyped address is not tried again")
        ],
        "schedule log": [Example("pulse-digest schedule log -n 7", "the last seven runs")],
        "models list": [Example("pulse-digest models", "what there is")],
        "models show": [Example("pulse-digest models show qwen3-0.6b", "where it is from, and what it needs")],
        "models path": [Example("pulse-digest models path qwen3-0.6b", "where its file is")],
        "models verify": [Example("pulse-digest models verify pulse-nano", "read it all and compare")],
        "models pull": [
            Example("pulse-digest models pull qwen3-0.6b", "download it, or go on downloading it"),
            Example("pulse-digest models pull qwen3-0.6b --from ~/Downloads/model.gguf", "use a file you have"),
        ],
        "models remove": [Example("pulse-digest models remove smollm2-135m", "its file, and what was measured")],
        "doctor": [Example("pulse-digest doctor", "check the installation")],
        "bench": [Example("pulse-digest bench --model smollm2-135m", "how fast this model is here")],
        "config list": [Example("pulse-digest config", "every setting, and where its value comes from")],
        "config get": [Example("pulse-digest config get maxStories", "one value")],
        "config set": [
            Example("pulse-digest config set maxStories 30", "for every digest from now on"),
            Example("pulse-digest config set follow cycling orchestra", "several values"),
        ],
        "config unset": [Example("pulse-digest config unset follow", "as if it had never been set")],
        "config path": [Example("pulse-digest config path", "where the file is")],
        "config edit": [Example("pulse-digest config edit", "in $VISUAL or $EDITOR, checked afterwards")],
        "prompts list": [Example("pulse-digest prompts", "what there is, and which of them are your own")],
        "prompts show": [Example("pulse-digest prompts show summary", "the one in your language")],
        "prompts path": [Example("pulse-digest prompts path digest.en", "where the file is")],
        "prompts edit": [Example("pulse-digest prompts edit digest.en", "in $VISUAL or $EDITOR, checked afterwards")],
        "prompts diff": [Example("pulse-digest prompts diff", "all that you changed")],
        "prompts reset": [Example("pulse-digest prompts reset digest.en", "as it came; your text is kept beside it")],
        "interests list": [Example("pulse-digest interests", "what you like, as far as it shows")],
        "interests forget": [Example("pulse-digest interests forget chess", "it is not what you are after")],
        "interests restore": [
            Example("pulse-digest interests restore chess", "as if it had never been forgotten")
        ],
        "completions": [Example("source <(pulse-digest completions bash)", "for this session")],
        "man": [Example("pulse-digest man | man -l -", "read it")],
    ]

    static func of(_ path: [Command]) -> [Example] { all[path.map(\.name).joined(separator: " ")] ?? [] }
}
