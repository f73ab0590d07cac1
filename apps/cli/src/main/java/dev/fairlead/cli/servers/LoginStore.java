package dev.fairlead.cli.servers;

import dev.fairlead.auth.client.TokenStore;

/** The store in which this program keeps logins. */
public final class LoginStore {
    private static final String VARIABLE = "FAIRLEAD_LOGINS";

    private LoginStore() {}

    /**
     * The store that {@code $FAIRLEAD_LOGINS} names: {@code file}, as without it, or {@code
     * keyring}.
     *
     * @throws TargetException if it says anything else
     */
    public static TokenStore of(Environment environment) {
        String named = environment.variables().getOrDefault(VARIABLE, "");
        return switch (named) {
            case "", "file" -> TokenStore.file();
            case "keyring" -> TokenStore.keyring();
            default ->
                    throw new TargetException(
                            VARIABLE + " must be file or keyring but is '" + named + "'");
        };
    }
}
