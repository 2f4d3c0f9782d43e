#if os(Linux)
    import Foundation
    import Glibc
    import PulseTestSupport
    import Testing

    extension ImportPathTests {
        /// A terminal at which somebody has typed an answer already.
        private func terminal(typing answer: String) throws -> (process: Process, master: FileHandle) {
            let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var number: CUnsignedInt = 0
            var lock: CInt = 0
            // TIOCGPTN and TIOCSPTLCK of asm-generic/ioctls.h, which are no constants to Swift: which it is, and
            // unlocked.
            try #require(ioctl(terminal, 0x8004_5430, &number) == 0 && ioctl(terminal, 0x4004_5431, &lock) == 0)
            let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(other >= 0)
            let bytes = Array(answer.utf8)
            #expect(write(terminal, bytes, bytes.count) == bytes.count)
            let process = Process()
            process.standardInput = FileHandle(fileDescriptor: other, closeOnDealloc: true)
            return (process, FileHandle(fileDescriptor: terminal, closeOnDealloc: true))
        }

        @Test(arguments: [("y\n", 4), ("\n", 4), ("n\n", nil)] as [(String, Int?)])
        func aPersonIsAskedOnce(answer: String, articles: Int?) throws {
            let sandbox = try Sandbox()
            let cache = try sandbox.folder.copy(Sandbox.fixtures + "/newsboat-2.21.db", to: "home/.newsboat/cache.db")
            let (process, master) = try terminal(typing: answer)
            let outcome = try sandbox.start(["import", "--store", sandbox.store], process: process).finish()
            try master.close()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("newsboat (\(cache)): 4 read\n"))
            #expect(outcome.errors.contains("[Y/n]"))
            let expected = articles.map {
                "newsboat (\(cache)): \($0) articles: \($0) new, 0 updated, 0 known\n"
            }
            #expect(outcome.output == expected ?? "")
            guard articles != nil else { return }
            try sandbox.run("import", "--store", sandbox.store).ends(0, errors: "")
        }
    }
#endif
