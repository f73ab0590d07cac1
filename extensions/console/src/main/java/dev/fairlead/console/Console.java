package dev.fairlead.console;

import dev.fairlead.console.access.Gate;
import dev.fairlead.console.pages.Assets;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.console.workbench.Workbench;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.console.HttpOperator;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A console: pages on which people watch a server in a browser. It is mounted beside the endpoint
 * by {@link dev.fairlead.http.HttpOptions#console}, at {@code /console/} unless {@link #path} says
 * another. Immutable; one console serves one place.
 *
 * {@snippet :
 * Console console = Console.local();
 * HttpServing serving = server.serve(Http.port(3000).console(console));
 * System.out.println("Console: " + console.address(serving));
 * }
 */
public final class Console implements HttpConsole {
    private static final String DEFAULT_PATH = "/console/";

    private final String path;
    private final @Nullable String token;
    private final @Nullable ConsoleTarget target;

    private Console(String path, @Nullable String token, @Nullable ConsoleTarget target) {
        this.path = path;
        this.token = token;
        this.target = target;
    }

    /**
     * Returns a console for people on this machine, who need its {@link #address(HttpServing)
     * address}: that contains a random token. Requests from elsewhere find nothing at its paths.
     */
    public static Console local() {
        return new Console(DEFAULT_PATH, Gate.newSecret(), null);
    }

    /**
     * Returns a console like {@link #local()} with a token of your choice, for places where no
     * address can be printed. Logins last 12 hours, also in a server that is started again with the
     * same token; there a login that was ended by a logout is valid again. Another token ends all
     * logins.
     *
     * @throws IllegalArgumentException if it has less than 20 characters, or others than letters,
     *     digits and {@code -._~}
     */
    public static Console local(String token) {
        if (!token.matches("[A-Za-z0-9._~-]{20,200}")) {
            throw new IllegalArgumentException(
                    "the token of a console has 20 to 200 letters, digits and -._~ but had "
                            + token.length()
                            + " characters");
        }
        return new Console(DEFAULT_PATH, token, null);
    }

    /**
     * Returns a console for people who have an access token of the endpoint's authorization: the
     * scope {@code watch} lets them see everything, {@code operate} also end and cancel things.
     * Without an authorization serving fails with an {@link IllegalStateException}.
     */
    public static Console forScopes() {
        return new Console(DEFAULT_PATH, null, null);
    }

    /**
     * Sets the path of the page, which begins and ends with a slash.
     *
     * @throws IllegalArgumentException if it does not
     */
    public Console path(String path) {
        if (!path.matches("/([A-Za-z0-9._~-]+/)+")) {
            throw new IllegalArgumentException(
                    "the path of a console begins and ends with / and has letters, digits and"
                            + " ._~- but was "
                            + path);
        }
        return new Console(path, token, target);
    }

    /**
     * Lets people try this server: its tools, resources and prompts. Each open page connects a
     * client of its own, at most 16.
     */
    public Console target(ConsoleTarget target) {
        return new Console(path, token, Objects.requireNonNull(target, "target"));
    }

    /**
     * Lets people try the server at this URL, as {@link #target(ConsoleTarget)} does, without
     * authorization.
     */
    public Console target(URI url) {
        return target(Workbench.target(Objects.requireNonNull(url, "url")));
    }

    /**
     * Returns the address that people open. For {@link #local} it gives access: show it to the
     * people who start the server, and do not log it.
     */
    public URI address(HttpServing serving) {
        return address(serving.uri());
    }

    /** Returns the address that people open, of a console that is served alone. */
    public URI address(ConsoleServing serving) {
        return address(serving.uri());
    }

    private URI address(URI endpoint) {
        URI page = endpoint.resolve(path);
        return token == null ? page : URI.create(page + "#token=" + token);
    }

    @Override
    public List<String> paths() {
        List<String> paths = new ArrayList<>(List.of(path, path.substring(0, path.length() - 1)));
        Assets.names().forEach(name -> paths.add(path + name));
        ConsoleRoutes.NAMES.forEach(name -> paths.add(path + name));
        return paths;
    }

    @Override
    public Mounted mount(@Nullable HttpOperator endpoint) {
        if (token == null && (endpoint == null || endpoint.authorization().isEmpty())) {
            throw new IllegalStateException(
                    "Console.forScopes needs HttpOptions.authorization; without one use"
                            + " Console.local");
        }
        Gate gate =
                token == null
                        ? Gate.byScopes(
                                path,
                                Objects.requireNonNull(endpoint).authorization().orElseThrow())
                        : Gate.byToken(path, token);
        return new ConsoleRoutes(path, gate, endpoint, workbench(endpoint));
    }

    private @Nullable Workbench workbench(@Nullable HttpOperator endpoint) {
        ConsoleTarget tried = target;
        if (tried != null) {
            return Workbench.of(tried);
        }
        return endpoint == null ? null : Workbench.of(endpoint);
    }

    /** Contains no token. */
    @Override
    public String toString() {
        return "Console[" + path + "]";
    }
}
