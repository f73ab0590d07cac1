package dev.fairlead.benchmarks.peers.clients;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;

/**
 * Posts a call of revision 2026-07-28 as text and looks for the text of its result: the least that
 * a client does. The argument is the URL of a server.
 */
public final class BareCaller implements Function<List<String>, UnaryOperator<String>> {
    private static final Map<String, String> HEADERS =
            Map.of(
                    "Accept", "application/json, text/event-stream",
                    "MCP-Protocol-Version", "2026-07-28",
                    "Mcp-Method", "tools/call",
                    "Mcp-Name", "echo");
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientInfo":{"name":"bare","version":"1"},\
            "io.modelcontextprotocol/clientCapabilities":{}},\
            "name":"echo","arguments":{"text":"%s"}}}\
            """;
    private static final String TEXT = "\"text\":\"";

    @Override
    public UnaryOperator<String> apply(List<String> server) {
        try {
            BlockingSockets client = new BlockingSockets(SSLContext.getDefault(), HEADERS);
            return text -> call(client, server.getFirst(), text);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String call(BlockingSockets client, String url, String text) {
        byte[] body = CALL.formatted(text).getBytes(StandardCharsets.UTF_8);
        String[] answer = new String[1];
        try {
            client.post(
                    url,
                    body,
                    in -> answer[0] = new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        int begin = answer[0].indexOf(TEXT) + TEXT.length();
        return answer[0].substring(begin, answer[0].indexOf('"', begin));
    }
}
