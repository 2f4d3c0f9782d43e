import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// Disks that are full, stores of other versions, and files that hold what the store holds.
@Suite(.timeLimit(.minutes(20))) struct RoomTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// What can only be read is read, and what makes room needs none.
    @Test(.enabled(if: TinyDisk.canBeMade, "only root can mount a small disk"))
    func aFullDiskIsReadAndCleared() throws {
        let disk = try TinyDisk(at: sandbox.folder.file("disk"), kilobytes: 4096)
        sandbox.environment["PULSE_DIGEST_STORE"] = disk.path + "/history.sqlite"
        #expect(try sandbox.run("import", "jsonl", Sandbox.sampleHistory).status == 0)
        try disk.fill()
        try sandbox.run("today").ends(0, printing: "Your digest")
        #expect(try sandbox.run("history", "list").status == 0)
        try sandbox.run("history", "clear", "--yes").ends(0, "Deleted: 40 articles.")
        try disk.clear()
        #expect(try sandbox.run("history", "list").output.isEmpty)
        #expect(try sandbox.run("import", "jsonl", Sandbox.sampleHistory).status == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: disk.path + "/history.sqlite"))
        #expect(bytes.prefix(15).elementsEqual("SQLite format 3".utf8))
    }

    /// A store of another version is left as it is, and what is said of it is right.
    @Test func aStoreOfAnotherVersionIsToldOf() throws {
        try sandbox.importSample()
        for (version, says, hint) in [
            ("1", "an older version", "history export"), ("99", "a newer version", "Update this program"),
        ] {
            try mark(version)
            let before = try Data(contentsOf: URL(fileURLWithPath: sandbox.store))
            for words in ["today", "history export", "import jsonl " + Sandbox.sampleHistory] {
                try run(words).ends(65, says, hint, "left as it is")
            }
            try run("doctor --model", sandbox.model).ends(65, printing: says)
            #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.store)) == before)
        }
    }

    /// In a call of its own, which closes the file.
    private func mark(_ version: String) throws {
        let connection = try Connection(path: sandbox.store, access: .readWrite)
        try connection.execute("PRAGMA user_version = \(version)")
    }
}
