package dev.fairlead.examples;

import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** {@code fairlead example}: runs an example by its name. */
final class Examples {
    /** The main method of an example. */
    @FunctionalInterface
    private interface Main {
        void run(String[] arguments) throws Exception;
    }

    private record Example(String name, String arguments, String description, Main main) {
        String usage() {
            return (name + " " + arguments).strip();
        }
    }

    /** The arguments of a server, see {@link Place}. */
    private static final String PLACE = "[http [PORT]]";

    private static final List<Example> ALL =
            List.of(
                    new Example("hello", "[http]", "the smallest server", Examples::hello),
                    new Example(
                            "hello-client",
                            "[URL]",
                            "the smallest client, of hello on port 3001",
                            HelloClient::main),
                    new Example(
                            "echo",
                            PLACE,
                            "one tool, resource, template and prompt that give back a text",
                            Echo::main),
                    new Example(
                            "calculator",
                            PLACE,
                            "the calculator and the greeting of the quick start",
                            Calculator::main),
                    new Example(
                            "library",
                            PLACE,
                            "tools, resources and a prompt declared by annotations",
                            Library::main),
                    new Example(
                            "lowlevel",
                            PLACE,
                            "a raw tool, a method and a notification of one's own",
                            Lowlevel::main),
                    new Example(
                            "sqlite",
                            "FILE " + PLACE,
                            "a look into an SQLite file, read-only",
                            Sqlite::main),
                    new Example(
                            "files",
                            "DIRECTORY " + PLACE,
                            "the files of a directory as resources, watched for changes",
                            SharedFolder::main),
                    new Example(
                            "travel",
                            PLACE,
                            "flights from a web service, and a booking that asks a person",
                            Travel::main),
                    new Example(
                            "teahouse",
                            PLACE,
                            "tools that ask the person, or the model, of the client",
                            Teahouse::main),
                    new Example(
                            "metrics",
                            "[PORT [METRICS-PORT]]",
                            "a server over HTTP whose figures Prometheus reads on port 9464",
                            Metrics::main),
                    new Example(
                            "reports",
                            "",
                            "a client that starts three tasks, keeps calling and awaits them all",
                            Reports::main),
                    new Example(
                            "assistant",
                            "URL | COMMAND [ARGUMENT...]",
                            "a client that calls tools for a person and asks them",
                            Assistant::main));

    /** Held here, since a logger without a strong reference loses its level. */
    private static final Logger ENGINE = Logger.getLogger("org.eclipse.jetty");

    private Examples() {}

    public static void main(String[] arguments) throws Exception {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format", "%1$tT.%1$tL %4$s %5$s%6$s%n");
        ENGINE.setLevel(Level.WARNING);
        int status = run(arguments);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Gives the exit status. */
    static int run(String... arguments) throws Exception {
        if (arguments.length == 0) {
            System.out.print(list());
            return 0;
        }
        Example example = find(arguments[0]);
        if (example == null) {
            System.err.println("fairlead example: there is no example " + arguments[0]);
            System.err.print(list());
            return 64;
        }
        if (Boolean.getBoolean("fairlead.terminal")) { // set by the launcher
            hints(example, arguments);
        }
        try {
            example.main.run(Arrays.copyOfRange(arguments, 1, arguments.length));
            return 0;
        } catch (UsageException e) {
            System.err.println("fairlead example " + example.name + ": " + e.getMessage());
            System.err.println("Usage: fairlead example " + example.usage());
            return 64;
        } catch (IOException | UncheckedIOException | ConnectionException e) {
            System.err.println("fairlead example " + example.name + ": " + e.getMessage());
            return 1;
        }
    }

    /** Prints the next steps for a person at a terminal. */
    private static void hints(Example example, String[] arguments) {
        List<String> given = Arrays.asList(arguments);
        System.err.println(example.name + ": " + example.description);
        if (!example.arguments.contains("[http")) {
            return;
        }
        int http = given.indexOf("http");
        if (http < 0) {
            System.err.println("Clients start this program themselves, from another terminal:");
            System.err.println(
                    "  ./fairlead tools list -- ./fairlead example " + String.join(" ", given));
            System.err.println("Stop with Ctrl-D.");
        } else {
            String port = http + 1 < given.size() ? given.get(http + 1) : "3001";
            String url = port.equals("0") ? "URL" : "http://127.0.0.1:" + port + "/mcp";
            System.err.println("Call it from another terminal:");
            System.err.println("  ./fairlead tools list " + url);
            System.err.println("Stop with Ctrl-C.");
        }
    }

    private static @Nullable Example find(String name) {
        return ALL.stream().filter(one -> one.name.equals(name)).findAny().orElse(null);
    }

    private static String list() {
        int width = ALL.stream().mapToInt(one -> one.usage().length()).max().orElse(0);
        StringBuilder list = new StringBuilder("Usage: fairlead example NAME [ARGUMENT...]\n\n");
        for (Example one : ALL) {
            String gap = " ".repeat(width - one.usage().length() + 2);
            list.append("  ").append(one.usage()).append(gap).append(one.description).append('\n');
        }
        return list.append(
                        "\nServers speak over standard input and output, or over HTTP on a port (")
                .append("3001 unless named; 0 takes a free one).\n")
                .toString();
    }

    /** Refuses unknown arguments, which {@link Hello} itself ignores. */
    private static void hello(String... arguments) {
        if (arguments.length > 1 || (arguments.length == 1 && !arguments[0].equals("http"))) {
            throw new UsageException("unexpected arguments: " + String.join(" ", arguments));
        }
        Hello.main(arguments);
    }
}
