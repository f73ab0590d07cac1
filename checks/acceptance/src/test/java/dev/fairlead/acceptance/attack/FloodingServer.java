package dev.fairlead.acceptance.attack;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server on stdio that sends garbage and requests by the thousand during a call. */
final class FloodingServer {
    /** The lines of garbage, and the requests of each kind. */
    static final int FLOOD = 5_000;

    private static final Pattern ID = Pattern.compile("\"id\":(\\d+|\"[^\"]*\")");
    private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");

    private FloodingServer() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Writer out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Matcher id = ID.matcher(line);
            Matcher method = METHOD.matcher(line);
            if (id.find() && method.find()) {
                String asked = id.group(1);
                String name = method.group(1);
                Thread.ofPlatform().start(() -> answer(out, asked, name)); // meanwhile this reads
            }
        }
    }

    private static void answer(Writer out, String id, String method) {
        try {
            synchronized (out) {
                write(out, id, method);
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Writer out, String id, String method) throws IOException {
        switch (method) {
            case "initialize" ->
                    result(
                            out,
                            id,
                            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{},"
                                + "\"logging\":{}},\"serverInfo\":{\"name\":\"bad\",\"version\":\"1\"}}");
            case "tools/list" ->
                    result(
                            out,
                            id,
                            "{\"tools\":[{\"name\":\"flood\",\"inputSchema\":{\"type\":\"object\"}}]}");
            case "tools/call" -> {
                flood(out);
                result(out, id, "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
            }
            default ->
                    out.write(
                            "{\"jsonrpc\":\"2.0\",\"id\":"
                                    + id
                                    + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}\n");
        }
    }

    private static void flood(Writer out) throws IOException {
        for (int i = 0; i < FLOOD; i++) {
            out.write("garbage " + i + " " + "x".repeat(200) + "\n");
            out.write("{\"jsonrpc\":\"2.0\",\"result\":" + i + "}\n");
            message(out, "{\"jsonrpc\":\"2.0\",\"id\":\"a%s\",\"method\":\"none/%s\"}", i);
            message(
                    out,
                    "{\"jsonrpc\":\"2.0\",\"id\":\"b%s\",\"method\":\"sampling/createMessage\",\"params\":{\"x\":%s}}",
                    i);
            message(out, "{\"jsonrpc\":\"2.0\",\"id\":\"c%s\",\"method\":\"roots/list\"}", i);
            message(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", 1_000_000 + i);
            message(out, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/none%s\"}", i);
            message(
                    out,
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"x\":%s}}",
                    i);
        }
    }

    private static void message(Writer out, String format, int number) throws IOException {
        out.write(format.replace("%s", Integer.toString(number)) + "\n");
    }

    private static void result(Writer out, String id, String result) throws IOException {
        out.write("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}\n");
    }
}
