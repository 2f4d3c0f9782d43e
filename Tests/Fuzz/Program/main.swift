import Foundation
import PulseFuzzing

// pulse-fuzz [--seconds N] [--seed N] [--target NAME] [--replay FILE]; pulse-fuzz --child [--most N] for one round
//
// It starts itself again for the inputs, so that one that ends the process is kept and the next ones still come.
let words = CommandLine.arguments.dropFirst()

func value(_ name: String) -> String? {
    words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
}

// Of its own, because another one may run: a file that is written anew while it is mapped ends the process.
let folder = value("--folder") ?? ".build/fuzz/\(ProcessInfo.processInfo.processIdentifier)"
let seed = value("--seed").flatMap(UInt64.init) ?? 1
let most = value("--most").flatMap(Int.init) ?? .max
let end = ContinuousClock.now + .seconds(value("--seconds").flatMap(Double.init) ?? 300)
let targets = try FuzzTarget.all().filter { $0.name == value("--target") ?? $0.name }

if let path = value("--replay") {
    let input = try Data(contentsOf: URL(fileURLWithPath: path))
    for target in targets { print(target.name, try await Fuzzer(folder: folder).parse(input, target)) }
} else if words.contains("--child") {
    let fuzzer = try Fuzzer(folder: folder)
    for target in targets {
        // Each has its share of the time that is left.
        try Data(target.name.utf8).write(to: URL(fileURLWithPath: folder + "/target"))
        let index = targets.firstIndex { $0.name == target.name } ?? 0
        let share = (end - ContinuousClock.now) / (targets.count - index)
        print(try await fuzzer.run(target, seed: seed, most: most, until: ContinuousClock.now + share))
    }
} else {
    var (round, found) = (seed, 0)
    while ContinuousClock.now < end {
        let left = Int((end - ContinuousClock.now) / .seconds(1))
        let share = min(left, 60)
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        child.arguments =
            ["--child", "--folder", folder, "--seconds", "\(max(share, 1))", "--seed", "\(round)"]
            + (value("--target").map { ["--target", $0] } ?? [])
        try child.run()
        child.waitUntilExit()
        if child.terminationStatus != 0 || child.terminationReason != .exit {
            found += 1
            let target = (try? String(contentsOfFile: folder + "/target", encoding: .utf8)) ?? "unknown"
            let kept = ".build/fuzz/\(target)-\(round)"
            try? FileManager.default.removeItem(atPath: kept)
            try FileManager.default.copyItem(atPath: folder + "/current", toPath: kept)
            print("FOUND: \(target) ended with \(child.terminationStatus); the input is \(kept)")
        }
        round += 1
    }
    try? FileManager.default.removeItem(atPath: folder)
    print("\(round - seed) rounds, \(found) found; seeds \(seed) to \(round - 1)")
    exit(found == 0 ? 0 : 1)
}
