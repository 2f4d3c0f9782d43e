import PulseModels
import PulseRendering

/// The model's file: where it was found, and whether it is what the catalogue says, as far as that is known.
struct ModelCheck: Check {
    let context: Context

    func findings() async -> [Finding] {
        do throws(Failure) {
            return [try await finding()]
        } catch {
            return [.problem("model", error)]
        }
    }

    private func finding() async throws(Failure) -> Finding {
        let files = ModelFiles(context: context)
        let model = try files.resolve()
        let size = FileSizes.size(ofFile: model.path).map { ", " + ModelText.size($0) } ?? ""
        let place = "\(model.name): \(model.path)\(size)"
        guard let entry = model.entry else {
            return .ok("model", "\(place), not of the catalogue, so not verified")
        }
        let catalog = try files.catalog()
        // To find it, a file is read that may have gigabytes.
        guard catalog.rememberedSHA256(of: model) != nil else {
            return .ok("model", "\(place), not verified yet: pulse-digest models verify \(model.name)")
        }
        do {
            _ = try await catalog.verify(entry)
        } catch {
            throw Failure(error)
        }
        return .ok("model", "\(place), verified")
    }
}
