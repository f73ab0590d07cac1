package dev.fairlead.cli;

import dev.fairlead.cli.ask.Attention;
import dev.fairlead.cli.ask.Person;
import dev.fairlead.cli.hosts.HostServers;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.cli.servers.Targets;
import dev.fairlead.cli.tasks.CtrlC;
import dev.fairlead.cli.tasks.TaskWait;
import dev.fairlead.cli.view.Attachment;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.base.ProgressListener;
import dev.fairlead.stdio.StdioCommand;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Connects to a server, runs one command on it, prints the answer and lets the server go. */
final class Runner {
    /** The longest message that is taken from a server. */
    private static final int MAX_MESSAGE = 256 << 20;

    /** How long log messages that came before the answer may take to be shown. */
    private static final Duration LOG_WAIT = Duration.ofSeconds(5);

    /** How long a person may take for the purpose of a page. */
    private static final Duration FOR_PEOPLE = Duration.ofMinutes(10);

    private final Console console;
    private final Invocation invocation;
    private final Interrupts interrupts;
    private final Arguments arguments;

    Runner(Console console, Invocation invocation, Interrupts interrupts) {
        this.console = console;
        this.invocation = invocation;
        this.interrupts = interrupts;
        this.arguments = new Arguments(console.in());
    }

    /** The request of a command to the server. */
    @FunctionalInterface
    interface Verb {
        JsonObject ask(ClientRequests server) throws InterruptedException;
    }

    /** The request of a command to the server that may become a task. */
    @FunctionalInterface
    interface TaskVerb {
        /**
         * Asks.
         *
         * @param wait how its tasks are waited for
         */
        JsonObject ask(ClientRequests server, TaskWait wait) throws InterruptedException;
    }

    /** The JSON object that an option gives; see {@link Arguments#object}. */
    JsonObject object(String option, @Nullable String given) {
        return arguments.object(option, given);
    }

    /** The texts that an option gives; see {@link Arguments#texts}. */
    Map<String, String> texts(String option, @Nullable String given) {
        return arguments.texts(option, given);
    }

    /**
     * Returns the saving of an answer's attachments; see {@link Saving#Saving}.
     *
     * @param out the value of the option {@code --out}; null saves nothing
     */
    <R> Saving saving(
            @Nullable String out, Class<R> type, Function<R, List<Attachment>> attachments) {
        return new Saving(
                console, out, answer -> attachments.apply(JsonCodec.of(type).read(answer)));
    }

    /** Shows how far a call has come. */
    ProgressListener progress() {
        return console.status();
    }

    /**
     * Runs one command, which succeeds with any answer.
     *
     * @return the exit status
     */
    int run(ServerOptions options, Verb verb, View view) {
        return run(options, verb, view, answer -> ExitStatus.OK);
    }

    /**
     * Runs one command that starts no task.
     *
     * @param status gives the exit status for the answer; called once it is printed
     * @return the exit status
     */
    int run(ServerOptions options, Verb verb, View view, ToIntFunction<JsonObject> status) {
        return run(options, (server, wait) -> verb.ask(server), view, status);
    }

    /**
     * Runs one command.
     *
     * @param status gives the exit status for the answer; called once it is printed
     * @return the exit status
     */
    int run(ServerOptions options, TaskVerb verb, View view, ToIntFunction<JsonObject> status) {
        Output output = new Output(console, options.json);
        Target target = target(options);
        Attention attention = new Attention();
        try (Person person = person(options, attention)) {
            McpClient.Builder client = client(options, target, attention, person);
            TaskWait wait = taskWait(options, attention, person);
            JsonObject answer =
                    answer(
                            client,
                            target,
                            options,
                            server -> verb.ask(visiting(server, options, person), wait));
            output.answer(answer, view);
            return interrupts.isCancelled() ? ExitStatus.INTERRUPTED : status.applyAsInt(answer);
        } catch (RuntimeException | InterruptedException e) {
            Interrupts.stopIfLeaving();
            return output.failure(Failure.of(e));
        }
    }

    /** The lines of a command that prints while it runs. */
    @FunctionalInterface
    interface LineVerb {
        /**
         * Runs until there is nothing more to print.
         *
         * @param output prints a line for each event
         */
        void run(McpClient server, Output output) throws InterruptedException;
    }

    /**
     * Runs a command that prints lines while it runs, and no answer.
     *
     * @param more adds the listeners of the client
     * @return the exit status
     */
    int lines(ServerOptions options, Consumer<McpClient.Builder> more, LineVerb verb) {
        Output output = new Output(console, options.json);
        Attention attention = new Attention();
        try (Person person = person(options, attention)) {
            Target target = target(options);
            McpClient.Builder client = client(options, target, attention, person);
            more.accept(client);
            answer(
                    client,
                    target,
                    options,
                    server -> {
                        verb.run(server, output);
                        return JsonObject.EMPTY;
                    });
            return interrupts.isCancelled() ? ExitStatus.INTERRUPTED : ExitStatus.OK;
        } catch (RuntimeException | InterruptedException e) {
            Interrupts.stopIfLeaving();
            return output.failure(Failure.of(e));
        }
    }

    /** The person to ask; null where no questions may be asked. */
    private @Nullable Person person(ServerOptions options, Attention attention) {
        if (!console.person() || options.json) {
            return null;
        }
        Person person =
                new Person(
                        console.errorScreen(),
                        console.status(),
                        attention,
                        interrupts::cancel,
                        console.terminals(),
                        console.environment());
        interrupts.meet(person);
        return person;
    }

    private TaskWait taskWait(ServerOptions options, Attention attention, @Nullable Person person) {
        return new TaskWait(
                console.status(),
                console.errorScreen(),
                attention,
                person,
                interrupts,
                options.isTimeoutSet() ? options.timeout() : null,
                id -> "fairlead tasks result " + invocation.sameServer(id.value(), options));
    }

    /** The work of a command with a connected client. */
    @FunctionalInterface
    private interface Work {
        JsonObject run(McpClient server) throws InterruptedException;
    }

    /** The answer of the server, which has been let go. */
    private JsonObject answer(
            McpClient.Builder client, Target target, ServerOptions options, Work work)
            throws InterruptedException {
        try (McpClient server =
                during(
                        options,
                        () -> client.connect(remote(target, options, this::sayForServer)))) {
            return during(options, () -> answerBehindItsLog(server, work));
        } finally {
            console.status().clear();
        }
    }

    /**
     * Runs work within the limit of {@code --timeout}, if set; the limit holds also for a server
     * that keeps sending.
     */
    private <R> R during(ServerOptions options, CtrlC.Work<R> work) throws InterruptedException {
        return options.isTimeoutSet()
                ? interrupts.during(options.timeout(), work)
                : interrupts.during(work);
    }

    /**
     * Sends the request, and shows the log messages that precede the answer, also before a refusal.
     */
    private static JsonObject answerBehindItsLog(McpClient server, Work work)
            throws InterruptedException {
        JsonObject answer;
        try {
            answer = work.run(server);
        } catch (CallException e) {
            server.awaitLog(LOG_WAIT);
            throw e;
        }
        server.awaitLog(LOG_WAIT);
        return answer;
    }

    /**
     * Requests that are refused because pages must be visited first are sent again after that,
     * where the person consents.
     */
    static ClientRequests visiting(
            ClientRequests server, ServerOptions options, @Nullable Person person) {
        if (person != null) {
            return server.withUrlElicitation(FOR_PEOPLE);
        }
        return options.elicit == null ? server : server.withUrlElicitation(options.timeout());
    }

    /**
     * The way to a server.
     *
     * @param options contain the environment that a program gets
     * @param stderr receives the lines that a program writes to standard error
     */
    static Remote remote(Target target, ServerOptions options, Consumer<String> stderr) {
        return switch (target) {
            case Target.Endpoint endpoint -> endpoint.remote().maxMessageSize(MAX_MESSAGE);
            case Target.Program program ->
                    environment(program.remote(), options)
                            .maxMessageSize(MAX_MESSAGE)
                            .inOwnSession()
                            .onStderr(stderr);
        };
    }

    private static StdioCommand environment(StdioCommand program, ServerOptions options) {
        return options.inheritEnvironment ? program.inheritEnvironment() : program;
    }

    private void sayForServer(String line) {
        console.status().print(LogLine.ofStandardError("server", line, console.errorScreen()));
    }

    /** The client that the options ask for; see {@link Clients#client}. */
    McpClient.Builder client(
            ServerOptions options, Target target, Attention attention, @Nullable Person person) {
        return new Clients(console, arguments, attention).client(options, target.label(), person);
    }

    /** Returns the words of a command that reach the same server; see {@link Invocation}. */
    List<String> reaching(ServerOptions options) {
        return invocation.reaching(options);
    }

    /**
     * The server that is meant.
     *
     * @throws UsageException if none is named, or two are
     */
    Target target(ServerOptions options) {
        Targets targets = HostServers.targets(options.serversFile, console.environment());
        String named = options.target;
        List<String> command = invocation.server();
        if (command != null && named != null) {
            throw new UsageException("give either TARGET or a command after --, not both");
        }
        if (command != null && !command.isEmpty()) {
            return options.trusting(targets.command(command, options.transport()));
        }
        if (named == null) {
            throw new UsageException(
                    "no server given; give its URL, or -- and the command that starts it");
        }
        return options.trusting(targets.named(named, options.transport()));
    }
}
