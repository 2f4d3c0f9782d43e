import Foundation
import PulseInference
import PulseRendering

/// libllama, and what it was built for.
struct LibraryCheck: Check {
    let library: @Sendable () async -> LibraryDescription

    func findings() async -> [Finding] {
        let library = await library()
        // "CPU : SSE3 = 1 | AVX = 0 | …": what is off is left out.
        let features = library.features.split(separator: "|").compactMap { part -> String? in
            let sides = part.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            guard sides.count == 2, sides[1] != "0", let name = sides[0].split(separator: ":").last else { return nil }
            return name.trimmingCharacters(in: .whitespaces) + (sides[1] == "1" ? "" : " \(sides[1])")
        }
        let built = features.isEmpty ? "" : ", built with \(features.joined(separator: ", "))"
        return [.ok("libllama", library.version + built)]
    }
}
