package dev.fairlead.auth.fetch;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.http.client.HttpProxy;
import dev.fairlead.http.client.Proxies;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches from URLs that a peer has named, under a {@link UrlPolicy} and within {@link
 * FetchLimits}. Safe for use by several threads; an interrupt ends a fetch with {@link
 * InterruptedIOException} and stays set.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/security_best_practices
 *     Security Best Practices Security best practices
 */
public final class Fetch {
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final UrlPolicy policy;
    private final FetchLimits limits;
    private final Resolver resolver;
    private final Runnable connecting;
    private final Proxies proxies;

    /** Creates fetches under a policy and within limits, through the proxies of the system. */
    public Fetch(UrlPolicy policy, FetchLimits limits) {
        this(policy, limits, Proxies.system());
    }

    /** Creates fetches under a policy and within limits, through these proxies. */
    public Fetch(UrlPolicy policy, FetchLimits limits, Proxies proxies) {
        this(policy, limits, host -> List.of(InetAddress.getAllByName(host)), () -> {}, proxies);
    }

    /**
     * Creates fetches with another way to find addresses, for tests.
     *
     * @param connecting runs before each connection is made
     */
    Fetch(
            UrlPolicy policy,
            FetchLimits limits,
            Resolver resolver,
            Runnable connecting,
            Proxies proxies) {
        this.policy = Objects.requireNonNull(policy, "policy");
        this.limits = Objects.requireNonNull(limits, "limits");
        this.resolver = resolver;
        this.connecting = connecting;
        this.proxies = Objects.requireNonNull(proxies, "proxies");
    }

    /**
     * Fetches a document. Redirects are followed to URLs that are allowed likewise; the headers go
     * no further than the origin of the URL.
     *
     * @throws RefusedException if a rule forbids it
     * @throws IOException if there is no answer within the limits
     */
    public Fetched get(URI url, Map<String, String> headers) throws IOException {
        return within(limits.totalTimeout(), wire -> follow(url, headers, wire));
    }

    /** Fetches a document of JSON, as {@link #get(URI, Map)}. */
    public Fetched get(URI url) throws IOException {
        return get(url, deadline());
    }

    /**
     * Fetches a document of JSON, as {@link #get(URI, Map)}, before the deadline.
     *
     * @throws RefusedException if a rule forbids it
     * @throws IOException if there is no answer within the limits, or no time is left
     */
    public Fetched get(URI url, Deadline deadline) throws IOException {
        return within(
                deadline.next(), wire -> follow(url, Map.of("Accept", "application/json"), wire));
    }

    /** A deadline for several fetches that together may take as long as one. */
    public Deadline deadline() {
        return Deadline.of(limits.totalTimeout(), limits.totalTimeout());
    }

    /**
     * Posts a body and accepts JSON. A redirect is not followed but returned.
     *
     * @throws RefusedException if a rule forbids it
     * @throws IOException if there is no answer within the limits
     */
    public Fetched post(URI url, Map<String, String> headers, String contentType, String body)
            throws IOException {
        HeaderFields fields = new HeaderFields();
        fields.set("Content-Type", contentType);
        fields.set("Accept", "application/json");
        headers.forEach(fields::set);
        OutgoingRequest request =
                new OutgoingRequest("POST", url, fields, body.getBytes(StandardCharsets.UTF_8));
        return within(limits.totalTimeout(), wire -> wire.send(check(url), request));
    }

    /** Posts the fields of a form, as {@link #post}. */
    public Fetched postForm(URI url, Map<String, String> headers, Map<String, String> form)
            throws IOException {
        return post(url, headers, FormEncoding.TYPE, FormEncoding.body(form));
    }

    private FetchTarget check(URI url) throws IOException {
        HttpProxy proxy = url.getHost() == null ? null : proxies.find(url).orElse(null);
        return FetchTarget.check(url, policy, resolver, proxy);
    }

    private Fetched follow(URI first, Map<String, String> headers, Wire wire) throws IOException {
        FetchTarget target = check(first);
        FetchTarget origin = target;
        for (int redirects = 0; ; redirects++) {
            HeaderFields fields = new HeaderFields();
            if (origin.isSameOrigin(target.url())) {
                headers.forEach(fields::set);
            }
            Fetched answer =
                    wire.send(target, new OutgoingRequest("GET", target.url(), fields, null));
            if (!REDIRECTS.contains(answer.status())) {
                return answer;
            }
            if (redirects == limits.maxRedirects()) {
                throw new RefusedException(
                        FetchTarget.place(first) + " redirects more than " + redirects + " times");
            }
            target = check(next(target.url(), answer));
        }
    }

    private static URI next(URI from, Fetched redirect) throws RefusedException {
        try {
            URI next = from.resolve(redirect.header("location").orElse(""));
            if (from.getScheme().equalsIgnoreCase("https")
                    && !next.getScheme().equalsIgnoreCase("https")) {
                throw new RefusedException(FetchTarget.place(from) + " redirects away from https");
            }
            return next;
        } catch (IllegalArgumentException e) {
            throw new RefusedException(FetchTarget.place(from) + " redirects to an invalid URL");
        }
    }

    /**
     * Runs the exchange on a thread of its own, since neither resolving a host nor a server that
     * trickles its answer keeps to a limit. When time is over, that thread is interrupted and its
     * connection is closed.
     */
    private Fetched within(Duration limit, Exchange exchange) throws IOException {
        Wire wire = new Wire(limits, connecting);
        FutureTask<Fetched> task = new FutureTask<>(() -> exchange.run(wire));
        Thread.ofVirtual().name("mcp-fetch").start(task);
        try {
            return task.get(Math.max(0, limit.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + PlainText.of(limit), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            task.cancel(true);
            wire.close();
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof InterruptedIOException) { // a socket timeout, not an interruption
            return new IOException("no answer in time", cause);
        }
        return PlainText.of(
                cause instanceof IOException failure ? failure : new IOException(cause));
    }

    /** Requests and answers within one limit. */
    private interface Exchange {
        Fetched run(Wire wire) throws IOException;
    }
}
