import Foundation
import PulseCore
import PulseRendering
import PulseStore
import PulseSystem
import PulseText

/// The reading history: there, its owner's alone, and whole.
struct StoreCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        let path = context.storePath
        guard FileManager.default.fileExists(atPath: path) else {
            return [.warning("history", "none yet at \(path). To begin one: pulse-digest import --help")]
        }
        do throws(Failure) {
            let before = schemaVersion(path)
            // As for every command, it is brought up to date first.
            let articles = try context.reading { store throws(StoreError) in try store.statistics().articles }
            let now = schemaVersion(path)
            let brought = before == now ? "" : before.map { ", brought up to date from \($0)" } ?? ""
            let version = now.map { ", schema \($0)\(brought)" } ?? ""
            let text = "\(path): \(Counted.text(articles, "article", "articles"))\(version)"
            guard let open = openTo(path) else { return [.ok("history", text)] }
            return [.warning("history", "\(text), but other users can read it: chmod go= \(ShellWord.quoted(open))")]
        } catch {
            return [.problem("history", error)]
        }
    }

    /// The file, where its mode lets others in; their way there is their folders' business.
    private func openTo(_ path: String) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = attributes?[.posixPermissions] as? NSNumber, mode.intValue & 0o077 != 0 else { return nil }
        return path
    }

    /// https://www.sqlite.org/fileformat2.html: the user version is a big-endian number at byte 60.
    private func schemaVersion(_ path: String) -> Int? {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 64), head.count == 64
        else { return nil }
        return head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    }
}
