package dev.fairlead.cli;

import dev.fairlead.cli.servers.Environment;

/**
 * A secret that an option names by its environment variable: others can see the arguments of a
 * process.
 */
final class NamedSecret {
    private NamedSecret() {}

    /**
     * The secret.
     *
     * @param option that names the variable
     * @throws UsageException if there is none in it
     */
    static String of(String option, String variable, Environment environment) {
        String secret = environment.variables().get(variable);
        if (secret == null || secret.isEmpty()) {
            throw new UsageException(option + ": the variable " + variable + " is not set");
        }
        return secret;
    }
}
