package dev.fairlead.interop;

/** The same over stdio. */
class TypeScriptClientBehindStdioGatewayTest extends TypeScriptClientBehindGatewayTest {
    @Override
    String transport() {
        return "stdio";
    }
}
