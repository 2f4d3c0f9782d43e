#if os(Linux)
    import Foundation

    extension PressureSample {
        /// `root` is where `/proc` and `/sys` are found.
        static func current(root: String = "") -> PressureSample {
            PressureSample(
                left: [MemoryBudget.machine(root: root), ControlGroup.memoryLeft(root: root)].compactMap { $0 }.min(),
                allWaited: allWaited(root: root))
        }

        /// Pressure stall information (kernel, accounting/psi): of this process's own control group where there is one
        /// of version 2, else of the machine.
        ///
        ///     some avg10=0.00 avg60=0.00 avg300=0.00 total=2551471
        ///     full avg10=0.00 avg60=0.00 avg300=0.00 total=1432879
        private static func allWaited(root: String) -> Duration? {
            let group = ControlGroup.folders(of: nil, root: root).first.map { "\($0)/memory.pressure" }
            let text = [group, "\(root)/proc/pressure/memory"].lazy.compactMap { path in
                path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            }.first { !$0.isEmpty }
            let fields = (text ?? "").split(separator: "\n").first { $0.hasPrefix("full ") }?.split(separator: " ")
            guard let total = fields?.last, total.hasPrefix("total="), let microseconds = Int64(total.dropFirst(6))
            else { return nil }
            return .microseconds(microseconds)
        }
    }
#endif
