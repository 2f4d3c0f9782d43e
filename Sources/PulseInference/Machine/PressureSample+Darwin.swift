#if canImport(Darwin)
    import Darwin

    extension PressureSample {
        /// macOS compresses and swaps long before anything is killed, and says how bad it is: 1 is normal, 2 a warning,
        /// 4 critical (dispatch/source.h, DISPATCH_MEMORYPRESSURE_CRITICAL).
        static func current() -> PressureSample {
            var level: Int32 = 0
            var size = MemoryLayout<Int32>.size
            let isTold = sysctlbyname("kern.memorystatus_vm_pressure_level", &level, &size, nil, 0) == 0
            return PressureSample(isCritical: isTold && level >= 4)
        }
    }
#endif
