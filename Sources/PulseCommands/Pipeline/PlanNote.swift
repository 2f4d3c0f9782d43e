import PulseInference

/// What was given up for want of memory, told to those who may miss it.
struct PlanNote {
    let plan: MachinePlan?

    init(_ plan: MachinePlan?) { self.plan = plan }

    func tell(_ context: Context) {
        guard let plan else { return }
        for sacrifice in plan.sacrifices {
            let line = "For want of memory, \(sacrifice.text)."
            // A shorter context leaves out articles, which is the reader's business; the rest costs time.
            if case .length = sacrifice { context.note(line) } else { context.explain(line) }
        }
    }
}
