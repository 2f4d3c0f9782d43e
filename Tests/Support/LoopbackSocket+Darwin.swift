#if canImport(Darwin)
    import Foundation

    extension LoopbackSocket {
        static func newStream() -> Int32 {
            socket(AF_INET, SOCK_STREAM, 0)
        }

        static func loopbackAddress() -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return address
        }

        func ignoreBrokenPipes() {
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        }

        func sendQuietly(_ bytes: UnsafeRawBufferPointer) -> Int {
            Foundation.send(descriptor, bytes.baseAddress, bytes.count, 0)
        }
    }
#endif
