import PulseModels
import PulseRendering

/// The model's file: where it was found, and whether it is what the catalogue says, as far as that is known.
struct ModelCheck: Check {
    let files: Result<ModelFiles, Failure>

    func findings() async -> [Finding] {
        do throws(Failure) {
            return [try await finding()]
        } catch {
            return [.problem("model", error)]
        }
    }

    private func finding() async throws(Failure) -> Finding {
        let files = try files.get()
        let model = try files.resolve()
        let size = FileSizes.size(ofFile: model.path).map { ", " + ModelText.size($0) } ?? ""
        let place = "\(model.name): \(model.path)\(size)"
        guard let entry = model.entry else {
            return .ok("model", "\(place), not of the catalogue, so not verified")
        }
        // To find it, a file is read that may have gigabytes.
        guard files.catalog.rememberedSHA256(of: model) != nil else {
            return .ok("model", "\(place), not verified yet: pulse-digest models verify \(model.name)")
        }
        do {
            _ = try await files.catalog.verify(entry)
        } catch {
            throw Failure(error)
        }
        return .ok("model", "\(place), verified")
    }
}
