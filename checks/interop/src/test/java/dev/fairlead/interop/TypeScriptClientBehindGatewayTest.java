package dev.fairlead.interop;

import dev.fairlead.protocol.Era;

import java.util.List;

/** The client of the TypeScript SDK behind the gateway: {@code src/test/js/gateway-checks.mjs}. */
class TypeScriptClientBehindGatewayTest extends ClientBehindGatewayChecks {
    @Override
    List<String> script(Era client, String transport) {
        String peer = client == Era.HANDSHAKE ? "gateway-handshake" : "gateway-pinned";
        return Npm.script("run.mjs", peer, transport);
    }
}
