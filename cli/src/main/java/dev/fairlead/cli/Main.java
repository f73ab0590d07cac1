package dev.fairlead.cli;

/** {@code fairlead GROUP VERB …}: the command line. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        Console console = Console.ofProcess();
        LogHandler.install(console);
        Interrupts interrupts = new Interrupts(console);
        interrupts.listen();
        System.exit(Fairlead.run(console, interrupts, arguments));
    }
}
