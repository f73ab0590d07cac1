package dev.fairlead.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;

/** The tree of commands, and the way of one through it. */
@Command(
        name = "fairlead",
        version = "fairlead " + Clients.VERSION,
        description = "A command line client for MCP servers.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "TARGET is the URL of a server, its name in the servers file, or HOST:NAME for a server"
                + " of a host such as cursor. To start a server that speaks stdio, give its command"
                + " after -- instead.",
            "",
            "Examples, with the server of fairlead serve:",
            "  fairlead tools list http://127.0.0.1:3000/mcp",
            "  fairlead tools call show_route train=NT2 -- fairlead serve --stdio",
            "  fairlead resources read tour://guide http://127.0.0.1:3000/mcp"
        })
final class Fairlead {
    private Fairlead() {}

    /**
     * Runs one command.
     *
     * @return the exit status
     */
    static int run(Console console, Interrupts interrupts, String... typed) {
        LogHandler.reset();
        Invocation invocation = Invocation.of(typed);
        Runner runner = new Runner(console, invocation, interrupts);
        CommandLine commands = commands(runner, console, invocation, interrupts);
        TasksCommand.allowDashedId(commands, invocation.arguments());
        Output output = new Output(console, invocation.isJson());
        commands.setParameterExceptionHandler((e, given) -> output.failure(Usage.of(e)));
        commands.setExecutionExceptionHandler(
                (e, command, parsed) -> output.failure(Failure.of(e)));
        return commands.execute(invocation.toArray());
    }

    private static CommandLine commands(
            Runner runner, Console console, Invocation invocation, Interrupts interrupts) {
        CommandLine commands = new CommandLine(new Fairlead());
        commands.addSubcommand(new Ping(runner));
        commands.addSubcommand(new Info(runner));
        commands.addSubcommand(new Discover(runner));
        commands.addSubcommand(new Tools(runner));
        commands.addSubcommand(new Resources(runner));
        commands.addSubcommand(new Prompts(runner));
        commands.addSubcommand(new Complete(runner));
        commands.addSubcommand(new TasksCommand(runner));
        commands.addSubcommand(new Listen(runner));
        commands.addSubcommand(new Interactive(console, runner));
        commands.addSubcommand(new ConsoleCommand(console, interrupts, runner));
        commands.addSubcommand(new Servers(console, interrupts));
        commands.addSubcommand(new NewCommand(console));
        commands.addSubcommand(new Hosts(console, interrupts));
        commands.addSubcommand(new Install(console, invocation));
        commands.addSubcommand(new Uninstall(console));
        commands.addSubcommand(new DevCommand(console, interrupts, invocation));
        commands.addSubcommand(new BundleCommand(console, interrupts, invocation));
        commands.addSubcommand(new ServerJsonCommand(console, runner));
        commands.addSubcommand(new GatewayCommand(console, interrupts));
        commands.addSubcommand(new LoginCommand(console, interrupts));
        commands.addSubcommand(new LogoutCommand(console, interrupts));
        commands.addSubcommand(new AuthCommand(console));
        commands.addSubcommand(new StateKey(console));
        commands.addSubcommand(new Completion(console));
        commands.setCaseInsensitiveEnumValuesAllowed(true);
        commands.setExpandAtFiles(false); // @FILE is a value of --args
        if (console.screen().terminal()) {
            commands.setUsageHelpWidth(Math.clamp(console.screen().width(), 60, 160));
        }
        commands.setOut(new PrintWriter(console.out(), true));
        commands.setErr(new PrintWriter(console.err(), true));
        Standard.addTo(commands);
        Standard.addVersion(commands);
        return commands;
    }
}
