package dev.fairlead.showcase;

import dev.fairlead.server.McpServer;
import dev.fairlead.showcase.tour.Tour;
import dev.fairlead.tasks.Tasks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The features that {@code fairlead serve} can serve. */
enum Served {
    /** The tour for people. */
    TOUR(
            "",
            "the tour: night trains across Europe, all invented",
            "shell",
            "tools call find_trains from=Zurich to=Vienna"),
    /** The fixtures of the conformance suite and of other peers. */
    FIXTURES(
            " --fixtures",
            "the fixtures of the conformance suite and of other peers",
            "tools list",
            "tools call interop_echo text=hello"),
    /** The tour and the fixtures. */
    BOTH(
            " --tour --fixtures",
            "the tour, and the fixtures of the conformance suite and of other peers",
            "shell",
            "tools call find_trains from=Zurich to=Vienna"),
    /** One tool, for measuring. */
    BENCH(" --bench", "the tool echo, for measuring", "tools list", "tools call echo text=hello");

    private final String options;
    private final String description;
    private final List<String> commands;

    /**
     * @param options of {@code fairlead serve}, as they are typed
     * @param commands two commands of the command line to type next, without their target
     */
    Served(String options, String description, String... commands) {
        this.options = options;
        this.description = description;
        this.commands = List.of(commands);
    }

    /** Returns the features that these options ask for. */
    static Served of(boolean tour, boolean fixtures, boolean bench) {
        if (bench) {
            if (tour || fixtures) {
                throw new IllegalArgumentException("--bench goes with none of --tour, --fixtures");
            }
            return BENCH;
        }
        return !fixtures ? TOUR : tour ? BOTH : FIXTURES;
    }

    /** Returns the options of {@code fairlead serve} that ask for these features. */
    String options() {
        return options;
    }

    /**
     * Returns the lines for a person at a terminal: the features, commands to type next, and how to
     * stop.
     *
     * @param program as it is typed, such as {@code ./fairlead}
     * @param target the server as the command line takes it, such as its URL
     * @param stop the key that ends it
     */
    List<String> greeting(String program, String target, String stop) {
        List<String> lines = new ArrayList<>();
        lines.add("This is " + description + ".");
        lines.add("Try it from another terminal:");
        commands.forEach(command -> lines.add("  " + program + " " + command + " " + target));
        lines.add("Stop with " + stop + ".");
        return List.copyOf(lines);
    }

    /**
     * Returns the server of these features.
     *
     * @param options sets the other options
     */
    McpServer server(Tasks tasks, UnaryOperator<McpServer.Builder> options) {
        return switch (this) {
            case TOUR -> Tour.server(Showcase.VERSION, tasks, options);
            case FIXTURES -> Showcase.server(tasks, options);
            case BOTH -> both(tasks, options);
            case BENCH -> Bench.server(options);
        };
    }

    private static McpServer both(Tasks tasks, UnaryOperator<McpServer.Builder> options) {
        Tour tour = new Tour();
        McpServer server =
                Showcase.server(tasks, builder -> options.apply(builder).features(tour::declare));
        tour.runsIn(server);
        return server;
    }
}
