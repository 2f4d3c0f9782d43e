#if os(Linux)
    extension Scheduler {
        /// The one that is used where nobody asks for another.
        public static let usual = Scheduler.cron
    }
#endif
