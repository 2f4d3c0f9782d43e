import PulseCore

/// A command line as a user would type it, for the help and the man page.
struct Example: Sendable {
    /// The command and its subcommand: `history list`.
    let path: String
    let line: String
    /// What it does, in a few words.
    let meaning: Message

    init(_ path: String, _ line: String, _ meaning: Message) {
        (self.path, self.line, self.meaning) = (path, line, meaning)
    }
}

extension Example {
    /// One to three examples for each command that can run, by its path.
    static let all = Dictionary(grouping: table, by: \.path)

    private static let table: [Example] = [
        Example("today", "pulse-digest today", "what you read in the last two days"),
        Example("today", "pulse-digest today --format html > digest.html", "a page to keep or to forward"),
        Example("today", "pulse-digest today --basis unread", "the unread entries of your feeds"),
        Example("summarize", "pulse-digest summarize 3", "story 3 of the last digest"),
        Example(
            "summarize", "curl -s https://www.herald.example/page.html | pulse-digest summarize -",
            "a page of the web"),
        Example("ask", "pulse-digest ask 'who wants to buy the old harbour?'", "an answer with its sources"),
        Example("ask", "pulse-digest ask 'the ferry strike last week' --model none", "the passages themselves"),
        Example("import", "pulse-digest import", "from the readers on this machine"),
        Example("import", "pulse-digest import ~/Downloads/export.csv", "from a file, whatever it is"),
        Example("import", "pulse-digest import miniflux https://reader.example.org", "from a server"),
        Example("history list", "pulse-digest history", "the 20 articles you read last"),
        Example(
            "history list", "pulse-digest history list --since yesterday --source 'The Herald'",
            "those of one publication"),
        Example("history search", "pulse-digest history search central bank", "articles that contain both words"),
        Example("history search", "pulse-digest history search -- -40", "a word that begins with a dash"),
        Example("history show", "pulse-digest history show 3", "story 3 of the last digest"),
        Example("history show", "pulse-digest history show 560d9a6", "the article with this id"),
        Example("history stats", "pulse-digest history stats", "how much you read, and of what"),
        Example("history export", "pulse-digest history export > history.jsonl", "a copy of everything"),
        Example(
            "history export", "pulse-digest history export --since 2026-11-01 --output november.jsonl", "a part of it"),
        Example("history remove", "pulse-digest history remove 560d9a6", "delete this article, after a question"),
        Example("history clear", "pulse-digest history clear --yes", "delete everything, without a question"),
        Example("bookmarks list", "pulse-digest bookmarks", "the latest first"),
        Example("bookmarks add", "pulse-digest bookmarks add 3", "keep story 3 of the last digest"),
        Example("bookmarks remove", "pulse-digest bookmarks remove 560d9a6", "the one with this id"),
        Example("bookmarks export", "pulse-digest bookmarks export > bookmarks.jsonl", "to keep them elsewhere"),
        Example("open", "pulse-digest open 3", "story 3 of the last digest, in your browser"),
        Example("open", "pulse-digest open a1", "the first source of the last answer"),
        Example("share", "pulse-digest share 3 --format markdown", "a link to paste"),
        Example("feeds list", "pulse-digest feeds", "what you follow, with its numbers"),
        Example("feeds add", "pulse-digest feeds add https://example.org", "the feed of a page"),
        Example("feeds add", "pulse-digest feeds add guardian:world", "a section of the Guardian"),
        Example(
            "feeds preview", "pulse-digest feeds preview https://example.org", "what is in it, before you follow it"),
        Example("feeds refresh", "pulse-digest feeds refresh", "refresh all of them"),
        Example("feeds waiting", "pulse-digest feeds waiting", "what you have not read"),
        Example("feeds mark", "pulse-digest feeds mark 2", "mark everything in feed 2 as seen"),
        Example("feeds remove", "pulse-digest feeds remove 2", "stop following feed 2"),
        Example("feeds import-opml", "pulse-digest feeds import-opml feeds.opml", "what another reader follows"),
        Example("feeds export-opml", "pulse-digest feeds export-opml > feeds.opml", "for another reader"),
        Example("related", "pulse-digest related 3", "what else you read about story 3"),
        Example("story", "pulse-digest story 3", "how story 3 went, day by day"),
        Example("schedule install", "pulse-digest schedule install --to you@example.org", "every day at 22:00"),
        Example(
            "schedule install", "pulse-digest schedule install --at 7:30 --systemd --to you@example.org",
            "every morning"),
        Example("prepare", "pulse-digest prepare", "write ahead what today will ask"),
        Example("schedule show", "pulse-digest schedule", "when it runs next, and how the last run ended"),
        Example("schedule remove", "pulse-digest schedule remove --dry-run", "what would be removed"),
        Example("schedule retry", "pulse-digest schedule retry", "sendmail was stopped, and the email has not arrived"),
        Example(
            "schedule drop", "pulse-digest schedule drop me@exmaple.org",
            "an email to a mistyped address is not tried again"),
        Example("schedule log", "pulse-digest schedule log -n 7", "the last seven runs"),
        Example("models list", "pulse-digest models", "what there is"),
        Example("models show", "pulse-digest models show qwen3-0.6b", "where it is from, and what it needs"),
        Example("models path", "pulse-digest models path qwen3-0.6b", "where its file is"),
        Example("models verify", "pulse-digest models verify pulse-nano", "read it all and compare"),
        Example("models pull", "pulse-digest models pull qwen3-0.6b", "download it, or go on downloading it"),
        Example(
            "models pull", "pulse-digest models pull qwen3-0.6b --from ~/Downloads/model.gguf", "use a file you have"),
        Example("models remove", "pulse-digest models remove smollm2-135m", "its file, and what was measured"),
        Example("doctor", "pulse-digest doctor", "check the installation"),
        Example("bench", "pulse-digest bench --model smollm2-135m", "how fast this model is here"),
        Example("config list", "pulse-digest config", "every setting, and where its value comes from"),
        Example("config get", "pulse-digest config get maxStories", "one value"),
        Example("config set", "pulse-digest config set maxStories 30", "for every digest from now on"),
        Example("config set", "pulse-digest config set follow cycling orchestra", "several values"),
        Example("config unset", "pulse-digest config unset follow", "as if it had never been set"),
        Example("config path", "pulse-digest config path", "where the file is"),
        Example("config edit", "pulse-digest config edit", "in $VISUAL or $EDITOR, checked afterwards"),
        Example("prompts list", "pulse-digest prompts", "what there is, and which of them are your own"),
        Example("prompts show", "pulse-digest prompts show summary", "the one in your language"),
        Example("prompts path", "pulse-digest prompts path digest.en", "where the file is"),
        Example("prompts edit", "pulse-digest prompts edit digest.en", "in $VISUAL or $EDITOR, checked afterwards"),
        Example("prompts diff", "pulse-digest prompts diff", "all that you changed"),
        Example("prompts reset", "pulse-digest prompts reset digest.en", "as it was; your text is kept beside it"),
        Example("interests list", "pulse-digest interests", "what you seem to like, and why"),
        Example("interests forget", "pulse-digest interests forget chess", "it is not what you are after"),
        Example("interests restore", "pulse-digest interests restore chess", "as if it had never been forgotten"),
        Example("completions", "source <(pulse-digest completions bash)", "for this session"),
        Example("man", "pulse-digest man | man -l -", "read it"),
    ]

    static func of(_ path: [Command]) -> [Example] { all[path.map(\.name).joined(separator: " ")] ?? [] }
}
