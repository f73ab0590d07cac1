package dev.fairlead.cli;

/** {@code fairlead GROUP VERB …}: the command line. */
public final class Main {
    private Main() {}

    /** Read by the HTTP client of the JDK when its first class is loaded. */
    private static final String NO_TUNNEL_PASSWORDS = "jdk.http.auth.tunneling.disabledSchemes";

    /** Runs one command and ends the JVM with its exit status. */
    public static void main(String[] arguments) {
        if (System.getProperty(NO_TUNNEL_PASSWORDS) == null) { // a password in its URL is meant so
            System.setProperty(NO_TUNNEL_PASSWORDS, "");
        }
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
