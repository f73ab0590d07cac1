package dev.fairlead.console.access;

import dev.fairlead.console.pages.Answers;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.HttpAuthorization.Decision;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Decides who may use a console, and keeps their logins. Thread-safe. */
public final class Gate {
    /** The logger of logins and acts. */
    public static final String AUDIT = "dev.fairlead.console.audit";

    private static final System.Logger AUDIT_LOGGER = System.getLogger(AUDIT);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SECRET_BYTES = 24;
    private static final Duration LASTS = Duration.ofHours(12);

    /** How many tokens may be checked at a time, without the reserve for other addresses. */
    private static final int CHECKS = 16;

    /** How many of one address. */
    private static final int CHECKS_OF_ADDRESS = 4;

    private final String path;
    private final @Nullable HttpAuthorization authorization;
    private final @Nullable TokenLogins local; // where there is a token
    private final Logins logins = new Logins(Clock.systemUTC());
    private final Quota checks = Quota.shared(CHECKS).perCaller(CHECKS_OF_ADDRESS);

    private Gate(String path, @Nullable String token, @Nullable HttpAuthorization authorization) {
        this.path = path;
        this.local = token == null ? null : new TokenLogins(token, LASTS, Clock.systemUTC());
        this.authorization = authorization;
    }

    /** Returns a gate for people on this machine who have the token. */
    public static Gate byToken(String path, String token) {
        return new Gate(path, token, null);
    }

    /** Returns a gate for people with the scopes of the console. */
    public static Gate byScopes(String path, HttpAuthorization authorization) {
        return new Gate(path, null, authorization);
    }

    /** Returns a new random text of 192 bits. */
    public static String newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the kind of login for the page: {@code token} or {@code scopes}. */
    public String login() {
        return local == null ? "scopes" : "token";
    }

    /** Returns whether a request is to find nothing, since it comes from another machine. */
    public boolean isHidden(HttpExchange exchange) {
        return local != null
                && !(isLoopback(exchange.localAddress()) && isLoopback(exchange.remoteAddress()));
    }

    private static boolean isLoopback(Optional<InetAddress> address) {
        return address.map(InetAddress::isLoopbackAddress).orElse(false);
    }

    /** Returns the person who sent a request; empty if that is unknown. */
    public Optional<Person> person(HttpExchange exchange) {
        return cookies(exchange).stream().flatMap(secret -> find(secret).stream()).findAny();
    }

    private Optional<Person> find(String secret) {
        return local == null ? logins.find(secret) : local.find(secret);
    }

    /**
     * Returns the person whose page sent a request: with the cookie, which other ports of the host
     * receive too, and the token that the login has answered. Otherwise empty.
     */
    public Optional<Person> pageOf(HttpExchange exchange) {
        String sent = exchange.header("X-Console-Token").orElse("");
        return person(exchange).filter(person -> isSame(sent, person.writeToken()));
    }

    /** Answers a login. */
    public void logIn(HttpExchange exchange, JsonObject body) {
        String sent = body.get("token") instanceof JsonString text ? text.value().strip() : "";
        Quota.Share check =
                checks.share(RequestSource.of(exchange, Caller.anonymous()).caller(), null);
        if (!check.take(1)) {
            Answers.refused(exchange, 429, "Too many logins at a time; try again");
            return;
        }
        Optional<String> login;
        try {
            login = local == null ? byScopes(exchange, sent) : local.add(sent);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Answers.refused(exchange, 503, "The server is being closed");
            return;
        } finally {
            check.release();
        }
        Optional<Person> who = login.flatMap(this::find);
        if (who.isEmpty()) {
            LimitedLog.log( // any caller can have that logged
                    AUDIT_LOGGER,
                    Level.WARNING,
                    "",
                    "Console: a login was refused (from {0})",
                    address(exchange));
            Answers.refused(exchange, 401, "This token gives no access to the console");
            return;
        }
        audit(exchange, who.get().name() + " logged in");
        Answers.loggedIn(exchange, cookie(exchange, login.get()), who.get().writeToken());
    }

    /** Adds the login of a person with the scopes of the console, and returns its secret. */
    private Optional<String> byScopes(HttpExchange exchange, String sent)
            throws InterruptedException {
        if (authorization == null || sent.isEmpty()) {
            return Optional.empty();
        }
        Decision decision = authorization.decide(new WithToken(exchange, sent));
        if (!(decision instanceof Decision.Admitted admitted)) {
            return Optional.empty();
        }
        Caller caller = admitted.caller();
        boolean operates = caller.hasScope("operate");
        if (!operates && !caller.hasScope("watch")) {
            return Optional.empty();
        }
        Instant latest = Instant.now().plus(LASTS);
        Person person =
                new Person(
                        Printable.excerpt(caller.toString()),
                        operates,
                        newSecret(),
                        sent,
                        caller.validUntil().filter(latest::isAfter).orElse(latest));
        return Optional.of(logins.add(List.of(caller.issuer(), caller.subject()), person));
    }

    /** Ends the login of a request. */
    public void logOut(HttpExchange exchange) {
        cookies(exchange).forEach(local == null ? logins::remove : local::remove);
        Answers.loggedOut(exchange, cookie(exchange, "") + "; Max-Age=0");
    }

    static boolean isSame(String sent, String expected) {
        return MessageDigest.isEqual(
                sent.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the cookie, which is for the paths of this console alone. */
    private String cookie(HttpExchange exchange, String secret) {
        return cookieName(exchange)
                + "="
                + secret
                + "; Path="
                + exchange.prefix()
                + path
                + "; HttpOnly; SameSite=Strict"
                + (exchange.scheme().equals("https") ? "; Secure" : "");
    }

    /** Returns the name of the cookie, which all ports of a host share: it contains the port. */
    private static String cookieName(HttpExchange exchange) {
        String host = exchange.host().orElse("");
        String port = host.substring(host.lastIndexOf(':') + 1);
        return "fairlead-console" + (port.matches("[0-9]{1,5}") ? "-" + port : "");
    }

    private static List<String> cookies(HttpExchange exchange) {
        String start = cookieName(exchange) + "=";
        List<String> found = new ArrayList<>();
        for (String header : exchange.headers("Cookie")) {
            for (String cookie : header.split(";")) {
                String stripped = cookie.strip();
                if (stripped.startsWith(start)) {
                    found.add(stripped.substring(start.length()));
                }
            }
        }
        return found;
    }

    /** Records an act of a person. */
    public static void audit(HttpExchange exchange, String act) {
        AUDIT_LOGGER.log(Level.INFO, "Console: {0} (from {1})", act, address(exchange));
    }

    private static String address(HttpExchange exchange) {
        return exchange.remoteAddress().map(InetAddress::getHostAddress).orElse("unknown");
    }
}
