#if os(Linux)
    import Foundation
    import Glibc
    import PulseTestSupport
    import Testing

    extension ImportTests {
        /// Linux gives EIO to who reads a terminal whose other end is gone, behind what was written there.
        @Test func whatWasReadBeforeAFaultIsIn() throws {
            let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var number: CUnsignedInt = 0
            var lock: CInt = 0
            // TIOCGPTN and TIOCSPTLCK of asm-generic/ioctls.h, which are no constants to Swift: which it is, and
            // unlocked.
            try #require(ioctl(terminal, 0x8004_5430, &number) == 0 && ioctl(terminal, 0x4004_5431, &lock) == 0)
            let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(other >= 0)
            let written =
                Array(#"{"id":"1","title":"One"}"#.utf8) + [0x0a] + Array(#"{"id":"2","title":"Two"}"#.utf8) + [0x0a]
            #expect(write(other, written, written.count) == written.count)
            close(other)

            let sandbox = try Sandbox()
            let process = Process()
            process.standardInput = FileHandle(fileDescriptor: terminal, closeOnDealloc: true)
            try sandbox.start(["import", "jsonl", "-", "--store", sandbox.store], process: process).finish()
                .ends(74, "standard input")
            try sandbox.run("history", "list", "--store", sandbox.store).ends(nil, printing: "One", "Two")
        }
    }
#endif
