#if os(Linux)
    import Foundation
    import PulseTestSupport
    import Testing

    @testable import PulsePlatform

    @Suite(.timeLimit(.minutes(20))) struct CronDaemonTests {
        @Test(arguments: [
            ("cron", "/usr/sbin/cron\0-f\0", true), ("crond", "crond\0", true), ("anacron", "anacron\0-s\0", false),
            ("busybox", "busybox\0crond\0-f\0", true), ("busybox", "busybox\0sh\0", false),
            ("sh", "sh\0crond\0", false),
        ])
        func whoReadsCrontabs(name: String, commandLine: String, isOne: Bool) throws {
            let folder = try TemporaryFolder()
            for (number, name, line) in [("1", "init", "init\0"), ("27", name, commandLine)] {
                try folder.write(name + "\n", to: number + "/comm")
                try folder.write(line, to: number + "/cmdline")
            }
            #expect(CronDaemon.isRunning(processes: folder.path) == isOne)
        }

        @Test func whatIsHiddenIsNotKnown() throws {
            #expect(CronDaemon.isRunning(processes: try TemporaryFolder().path) == nil)
        }
    }
#endif
