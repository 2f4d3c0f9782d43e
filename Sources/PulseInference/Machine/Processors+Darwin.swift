#if canImport(Darwin)
    import Darwin
    import Foundation

    extension Processors {
        /// The performance cores, or all physical ones where there is only one kind (sysctl(3), `hw.perflevel0`).
        /// Who else is busy is left to the governor to find out.
        public static func current() -> Processors {
            Processors(
                cores: number("hw.perflevel0.physicalcpu") ?? number("hw.physicalcpu")
                    ?? ProcessInfo.processInfo.activeProcessorCount)
        }

        private static func number(_ name: String) -> Int? {
            var value: Int32 = 0
            var size = MemoryLayout<Int32>.size
            guard sysctlbyname(name, &value, &size, nil, 0) == 0, value > 0 else { return nil }
            return Int(value)
        }
    }
#endif
