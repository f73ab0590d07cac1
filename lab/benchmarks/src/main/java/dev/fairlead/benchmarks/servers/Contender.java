package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Child;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server or client that takes part.
 *
 * @param tool the name of its tool that gives back its text
 * @param mode whether calls are part of a session
 * @param command the command that starts it, with {@value #PORT} in place of its port
 */
record Contender(String name, Kind kind, Mode mode, String tool, List<String> command) {
    static final String PORT = "{port}";

    /** The origin of a server. */
    enum Kind {
        ENGINE,
        OURS,
        JAVA_SDK,
        QUARKUS,
        TYPESCRIPT
    }

    /** The exchange before the first call. */
    enum Mode {
        /** Nothing at all. */
        BARE,
        /** Nothing, but the revision is agreed on. */
        STATELESS,
        /** None: each request of revision 2026-07-28 is complete. */
        PER_REQUEST,
        /** Likewise, and the client can be asked and takes tasks. */
        ASKABLE,
        /** A session is opened for each connection. */
        STATEFUL
    }

    /** Starts a client, and returns when it has called this server. */
    Child startClient(List<String> server) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(server);
        Child child = Child.start(all);
        child.expect("ready");
        return child;
    }

    /** Whether each request describes its client. */
    boolean isPerRequest() {
        return mode == Mode.PER_REQUEST || mode == Mode.ASKABLE;
    }

    /** Whether each call is made as a task of revision 2025-11-25, whose result is fetched. */
    boolean isTask() {
        return tool.equals(Contenders.TASK);
    }

    /** Whether it is ours of an earlier version. */
    boolean isBefore() {
        return name.startsWith(Contenders.BEFORE);
    }

    List<String> command(int port) {
        return command.stream().map(part -> part.replace(PORT, Integer.toString(port))).toList();
    }

    /** Returns the command with options for its JVM, if it has one. */
    List<String> commandWith(List<String> options) {
        List<String> all = new ArrayList<>(command);
        all.addAll(1, options);
        return all;
    }

    @Override
    public String toString() {
        return name;
    }
}
