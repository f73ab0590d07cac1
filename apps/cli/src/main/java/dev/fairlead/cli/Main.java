package dev.fairlead.cli;

/** {@code fairlead GROUP VERB …}: the command line. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        StandardOutput out = new StandardOutput();
        Console console = Console.ofProcess(out);
        LogHandler.install(console);
        Interrupts interrupts = new Interrupts(console);
        interrupts.listen();
        System.exit(status(Fairlead.run(console, interrupts, arguments), console, out));
    }

    private static int status(int ended, Console console, StandardOutput out) {
        console.out().flush();
        return out.failure()
                .map(
                        reason -> {
                            console.say(
                                    "fairlead: standard output could not be written: " + reason);
                            return ended == ExitStatus.OK ? ExitStatus.NOT_SAVED : ended;
                        })
                .orElse(ended);
    }
}
