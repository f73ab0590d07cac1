package dev.fairlead.interop;

/** The same over stdio. */
class PythonClientBehindStdioGatewayTest extends PythonClientBehindGatewayTest {
    @Override
    String transport() {
        return "stdio";
    }
}
