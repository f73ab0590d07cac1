package dev.fairlead.benchmarks.servers;

import static dev.fairlead.benchmarks.servers.Contender.PORT;

import dev.fairlead.benchmarks.servers.Contender.Kind;
import dev.fairlead.benchmarks.servers.Contender.Mode;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The servers that can take part, in the order of the tables. */
final class Contenders {
    /** The same memory for every JVM. */
    private static final String HEAP = "-Xmx512m";

    /** How the names of our servers of an earlier version begin. */
    static final String BEFORE = "before";

    /** The program of our server. */
    static final String SERVE = "dev.fairlead.showcase.Serve";

    /** The tool of our server that runs only as a task. */
    static final String TASK = "task_required";

    private static final String PEERS = "dev.fairlead.benchmarks.peers.";

    /** The archives on the class path of a server: ours, and the dependencies of our artifact. */
    private static final List<String> NEEDED =
            List.of(
                    "fairlead",
                    "jackson-",
                    "json-schema-validator-",
                    "jspecify-",
                    "jetty-",
                    "slf4j-",
                    "bucket4j_"); // of an earlier version

    private Contenders() {}

    /**
     * All of them.
     *
     * @param peers the folder where the peers were built
     */
    static List<Contender> all(Path peers) throws IOException {
        List<Contender> all = new ArrayList<>();
        List<String> bare = java(classpath(peers.resolve("bare")), PEERS + "bare.BareServer", PORT);
        all.add(new Contender("bare", Kind.ENGINE, Mode.BARE, "echo", bare));
        all.addAll(ours());
        all.addAll(javaSdk(classpath(peers.resolve("java-sdk"))));
        all.addAll(quarkus(peers.resolve("quarkus/target/quarkus-app/quarkus-run.jar")));
        all.addAll(typeScript(peers.resolve("typescript/server.mjs")));
        return List.copyOf(all);
    }

    /** The product with sessions alone, for clients that begin with a handshake. */
    static Contender oursWithHandshake() {
        List<String> command = new ArrayList<>(ours().getFirst().command());
        command.addAll(List.of("--newest", "2025-11-25"));
        return new Contender("ours", Kind.OURS, Mode.STATEFUL, "echo", List.copyOf(command));
    }

    /**
     * Our gateways for each pair of eras of its clients and its servers. Clients without sessions
     * can be asked.
     *
     * @param older names servers with sessions
     * @param newer names servers of revision 2026-07-28
     */
    static List<Contender> gateways(Path older, Path newer) {
        return gateways("", System.getProperty("java.class.path"), older, newer);
    }

    /**
     * The same of an earlier version.
     *
     * @param before its checkout, which was built
     */
    static List<Contender> gatewaysBefore(Path before, Path older, Path newer) throws IOException {
        return gateways(BEFORE + ", ", earlier(before, "cli"), older, newer);
    }

    private static List<Contender> gateways(String name, String classpath, Path older, Path newer) {
        return List.of(
                gateway(name + "session to session", Mode.STATEFUL, classpath, older),
                gateway(name + "2026-07-28 to session", Mode.ASKABLE, classpath, older),
                gateway(name + "session to 2026-07-28", Mode.STATEFUL, classpath, newer),
                gateway(name + "2026-07-28 to 2026-07-28", Mode.ASKABLE, classpath, newer));
    }

    /** The class path of a module of an earlier version, which was packaged. */
    private static String earlier(Path before, String module) throws IOException {
        Path apps = before.resolve("apps"); // modules had no folders once
        Path target = (Files.exists(apps) ? apps : before).resolve(module).resolve("target/quick");
        try (DirectoryStream<Path> archive =
                Files.newDirectoryStream(target, "fairlead-" + module + "-*-SNAPSHOT.jar")) {
            return archive.iterator().next()
                    + File.pathSeparator
                    + Files.readString(target.resolve("runtime.classpath")).strip();
        }
    }

    /** The product with sessions over HTTP, and an earlier version of it. */
    static List<Contender> httpBefore(Path before) throws IOException {
        String place = "127.0.0.1:" + PORT;
        List<String> command = java(earlier(before, "showcase"), SERVE, "--bench", "--http", place);
        return List.of(
                ours().getFirst(),
                new Contender(BEFORE, Kind.OURS, Mode.STATEFUL, "echo", command));
    }

    /** The showcase, whose tasks are in memory, and an earlier version of it. */
    static List<Contender> tasksBefore(Path before) throws IOException {
        return List.of(
                tasks("tasks", System.getProperty("java.class.path"), "--fixtures"),
                tasks(BEFORE, earlier(before, "showcase"))); // some versions know no --fixtures
    }

    /** The showcase, each call of which is made as a task. */
    static Contender tasks(String name, String classpath, String... options) {
        List<String> command =
                new ArrayList<>(java(classpath, SERVE, "--http", "127.0.0.1:" + PORT));
        command.addAll(List.of(options));
        return new Contender(name, Kind.OURS, Mode.STATEFUL, TASK, List.copyOf(command));
    }

    /**
     * Clients, to whose command the URL of a server or the command line of one is appended.
     *
     * @param peers the folder where the peers were built
     */
    static List<Contender> clients(Path peers) throws IOException {
        String script = peers.resolve("typescript/client.mjs").toString();
        List<Contender> all = new ArrayList<>(ourClients());
        all.add(
                client(
                        "java-sdk",
                        Kind.JAVA_SDK,
                        Mode.STATEFUL,
                        classpath(peers.resolve("java-sdk")),
                        PEERS + "sdk.SdkClient"));
        all.add(
                new Contender(
                        "typescript",
                        Kind.TYPESCRIPT,
                        Mode.PER_REQUEST,
                        "echo",
                        List.of("node", script)));
        all.add(
                client(
                        "bare",
                        Kind.ENGINE,
                        Mode.PER_REQUEST,
                        classpath(peers.resolve("clients")),
                        PEERS + "clients.BareCaller"));
        return List.copyOf(all);
    }

    /** Our client in each era. */
    static List<Contender> ourClients() {
        String own = System.getProperty("java.class.path");
        String ours = OurClient.class.getName();
        return List.of(
                client("ours", Kind.OURS, Mode.STATEFUL, own, ours, "2025-11-25"),
                client("ours-per-request", Kind.OURS, Mode.PER_REQUEST, own, ours, "2026-07-28"));
    }

    private static Contender client(
            String name, Kind kind, Mode mode, String classpath, String... arguments) {
        URL program = CallingClient.class.getProtectionDomain().getCodeSource().getLocation();
        String all = Path.of(URI.create(program.toString())) + File.pathSeparator + classpath;
        List<String> command = java(all, CallingClient.class.getName(), arguments);
        return new Contender(name, kind, mode, "echo", command);
    }

    /** The product over standard input and output, and an earlier version of it. */
    static List<Contender> stdioBefore(Path before) throws IOException {
        return List.of(oursOnStdio(), onStdio(BEFORE, Mode.STATEFUL, earlier(before, "showcase")));
    }

    /** The product over standard input and output, in both eras. */
    static List<Contender> stdioEras() {
        String own = System.getProperty("java.class.path");
        return List.of(oursOnStdio(), onStdio("ours-per-request", Mode.PER_REQUEST, own));
    }

    /** A server over HTTP that differs by the tool that is called, or by the era of its streams. */
    static Contender era(String name, Mode mode, String tool) {
        List<String> command =
                java(System.getProperty("java.class.path"), EraServer.class.getName(), PORT);
        return new Contender(name, Kind.OURS, mode, tool, command);
    }

    private static Contender gateway(String name, Mode mode, String classpath, Path servers) {
        String main = "dev.fairlead.cli.Main";
        String place = "127.0.0.1:" + PORT;
        List<String> command = java(classpath, main, "gateway", "--http", place, servers + "");
        return new Contender(name, Kind.OURS, mode, "echo", command);
    }

    /** The product in all of its ways. */
    static List<Contender> ours() {
        String own = System.getProperty("java.class.path");
        String place = "127.0.0.1:" + PORT;
        List<String> stateful = java(own, SERVE, "--bench", "--http", place);
        List<String> stateless = java(own, SERVE, "--bench", "--stateless", "--http", place);
        return List.of(
                new Contender("ours-stateful", Kind.OURS, Mode.STATEFUL, "echo", stateful),
                new Contender("ours-stateless", Kind.OURS, Mode.STATELESS, "echo", stateless),
                new Contender("ours-per-request", Kind.OURS, Mode.PER_REQUEST, "echo", stateless));
    }

    /** Returns the servers over standard input and output. */
    static List<Contender> stdio(Path peers) throws IOException {
        String script = peers.resolve("typescript/server.mjs").toString();
        return List.of(
                oursOnStdio(),
                new Contender(
                        "java-sdk",
                        Kind.JAVA_SDK,
                        Mode.STATEFUL,
                        "echo",
                        java(
                                classpath(peers.resolve("java-sdk")),
                                PEERS + "sdk.SdkServer",
                                "stdio")),
                new Contender(
                        "typescript",
                        Kind.TYPESCRIPT,
                        Mode.STATEFUL,
                        "echo",
                        List.of("node", script, "stdio")));
    }

    /** The product with tools that sleep or compute, each on the reading thread and on its own. */
    static List<Contender> slow() {
        List<String> command =
                java(System.getProperty("java.class.path"), SlowServer.class.getName(), PORT);
        List<Contender> all = new ArrayList<>();
        for (String tool : List.of("sleep", "compute", "stall")) {
            all.add(new Contender(tool, Kind.OURS, Mode.STATEFUL, tool, command));
            String own = tool + SlowServer.OWN;
            all.add(new Contender(own, Kind.OURS, Mode.STATEFUL, own, command));
        }
        return all;
    }

    /** The product with a console at which no page watches, and without one. */
    static List<Contender> watched() {
        return List.of(watched("console", "on"), watched("console" + WatchedServer.OFF, "off"));
    }

    private static Contender watched(String name, String console) {
        String own = System.getProperty("java.class.path");
        List<String> command = java(own, WatchedServer.class.getName(), PORT, console);
        return new Contender(name, Kind.OURS, Mode.STATEFUL, "echo", command);
    }

    /** The product over standard input and output, with the libraries that such a server needs. */
    static Contender oursOnStdio() {
        return onStdio("ours", Mode.STATEFUL, System.getProperty("java.class.path"));
    }

    private static Contender onStdio(String name, Mode mode, String classpath) {
        String needed =
                Arrays.stream(classpath.split(File.pathSeparator))
                        .filter(Contenders::isNeeded)
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> command = java(needed, SERVE, "--bench", "--stdio");
        return new Contender(name, Kind.OURS, mode, "echo", command);
    }

    private static boolean isNeeded(String archive) {
        String name = Path.of(archive).getFileName().toString();
        return NEEDED.stream().anyMatch(name::startsWith);
    }

    private static List<Contender> javaSdk(String classpath) {
        String main = PEERS + "sdk.SdkServer";
        List<Contender> all = new ArrayList<>();
        for (Mode mode : List.of(Mode.STATEFUL, Mode.STATELESS)) {
            String word = mode == Mode.STATEFUL ? "stateful" : "stateless";
            for (String threads : List.of("platform", "virtual")) {
                List<String> command = java(classpath, main, word, threads, PORT);
                String name = "java-sdk-" + word + "-" + threads;
                all.add(new Contender(name, Kind.JAVA_SDK, mode, "echo", command));
            }
        }
        return all;
    }

    /** One program with a tool for each kind of thread. */
    private static List<Contender> quarkus(Path jar) {
        List<String> command =
                List.of(javaProgram(), HEAP, "-Dquarkus.http.port=" + PORT, "-jar", jar.toString());
        return List.of(
                new Contender("quarkus", Kind.QUARKUS, Mode.STATEFUL, "echo", command),
                new Contender(
                        "quarkus-blocking", Kind.QUARKUS, Mode.STATEFUL, "echo-blocking", command),
                new Contender(
                        "quarkus-virtual", Kind.QUARKUS, Mode.STATEFUL, "echo-virtual", command));
    }

    private static List<Contender> typeScript(Path script) {
        List<String> stateful = List.of("node", script.toString(), "stateful", PORT);
        List<String> stateless = List.of("node", script.toString(), "stateless", PORT);
        return List.of(
                new Contender(
                        "typescript-stateful", Kind.TYPESCRIPT, Mode.STATEFUL, "echo", stateful),
                new Contender(
                        "typescript-stateless",
                        Kind.TYPESCRIPT,
                        Mode.STATELESS,
                        "echo",
                        stateless));
    }

    private static List<String> java(String classpath, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.addAll(List.of(javaProgram(), HEAP, "-cp", classpath, main));
        command.addAll(List.of(arguments));
        return List.copyOf(command);
    }

    /** The Java that runs this. */
    static String javaProgram() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static String classpath(Path peer) throws IOException {
        Path target = peer.resolve("target");
        String libraries = Files.readString(target.resolve("runtime.classpath")).strip();
        // An archive, since caches of classes know no folders.
        return target.resolve(peer.getFileName() + "-1.jar") + ":" + libraries;
    }
}
