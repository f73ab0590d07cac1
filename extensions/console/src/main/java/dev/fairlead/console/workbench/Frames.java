package dev.fairlead.console.workbench;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.engine.SecretMask;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The messages between the client of a page and the server, which the page shows with each call.
 * Secrets are masked, and a long message is cut. A message that names no request, such as a
 * question of the server, is shown with each call under way; those of subscriptions are not shown.
 * Thread-safe.
 */
final class Frames {
    /** The most characters of a message. */
    static final int MAX_CHARS = 4_000;

    /** The most requests whose calls are known. */
    private static final int MAX_REQUESTS = 256;

    private final Outbox outbox;
    private final ThreadLocal<String> current = new ThreadLocal<>(); // the call of this thread
    private final Set<String> underWay = new LinkedHashSet<>(); // guarded by this
    private final Map<RequestId, String> calls = // by the request; guarded by this
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<RequestId, String> eldest) {
                    return size() > MAX_REQUESTS;
                }
            };

    Frames(Outbox outbox) {
        this.outbox = outbox;
    }

    /** Begins a call, whose requests this thread sends. */
    void begin(String call) {
        current.set(call);
        synchronized (this) {
            underWay.add(call);
        }
    }

    void end(String call) {
        current.remove();
        synchronized (this) {
            underWay.remove(call);
            calls.values().remove(call);
        }
    }

    /** Returns the same way to the server, whose messages are shown. */
    Remote shown(Remote remote) {
        return new Remote() {
            @Override
            public Link connect(SessionHost host) throws IOException, InterruptedException {
                return remote.connect(observed(host));
            }

            @Override
            public Optional<Object> place() {
                return remote.place();
            }
        };
    }

    private SessionHost observed(SessionHost host) {
        return wrapped(
                SessionHost.class,
                host,
                (name, arguments) -> {
                    if (name.equals("open")) {
                        arguments[0] = sending(SessionContext.class, arguments[0]);
                    }
                },
                result -> result instanceof Session session ? receiving(session) : result);
    }

    private Session receiving(Session session) {
        return wrapped(
                Session.class,
                session,
                (name, arguments) -> {
                    if (name.equals("accept")) {
                        show(false, (JsonRpcMessage) arguments[0]);
                        arguments[1] = sending(Exchange.class, arguments[1]);
                    }
                },
                result -> result);
    }

    private <T> T sending(Class<T> type, Object target) {
        return wrapped(
                type,
                target,
                (name, arguments) -> {
                    boolean sends = // each of them has a message first
                            Set.of("send", "call", "refuse", "respondEarly").contains(name);
                    if (sends) {
                        show(true, (JsonRpcMessage) arguments[0]);
                    }
                },
                result -> result);
    }

    /** A look at a call of a method, which may replace its arguments. */
    private interface Look {
        void at(String name, Object[] arguments);
    }

    private interface Result {
        @Nullable Object of(@Nullable Object result);
    }

    /** Returns an object that passes all methods on to another one, after a look at each. */
    private static <T> T wrapped(Class<T> type, Object target, Look look, Result result) {
        return type.cast(
                Proxy.newProxyInstance(
                        Frames.class.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("equals")) { // as the same object
                                return proxy == arguments[0];
                            }
                            if (arguments != null) {
                                look.at(method.getName(), arguments);
                            }
                            try {
                                return result.of(method.invoke(target, arguments));
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }

    private void show(boolean sent, JsonRpcMessage message) {
        if (message instanceof Batch batch) {
            batch.messages().forEach(one -> show(sent, one));
            return;
        }
        List<String> of = callsOf(sent, message);
        if (of.isEmpty()) {
            return;
        }
        String text = new String(message.toBytes(), StandardCharsets.UTF_8);
        boolean isCut = text.length() > MAX_CHARS;
        String shown = SecretMask.mask(isCut ? text.substring(0, MAX_CHARS) : text);
        for (String call : of) {
            outbox.addPassing(
                    JsonObject.of(
                            "type",
                            "frame",
                            "call",
                            call,
                            "sent",
                            sent,
                            "at",
                            System.currentTimeMillis(),
                            "chars",
                            text.length(),
                            "text",
                            isCut ? shown + "…" : shown));
        }
    }

    private synchronized List<String> callsOf(boolean sent, JsonRpcMessage message) {
        return switch (message) {
            case JsonRpcRequest request when sent -> ofThread(request.id());
            case JsonRpcResponse response when !sent -> answered(response.id());
            case JsonRpcErrorResponse response when !sent -> answered(response.id());
            case JsonRpcNotification event when isOfSubscription(event) -> List.of();
            default -> List.copyOf(underWay);
        };
    }

    private List<String> ofThread(RequestId request) {
        String call = current.get();
        if (call == null) {
            return List.of(); // of the client itself, such as a subscription
        }
        calls.put(request, call);
        return List.of(call);
    }

    private List<String> answered(@Nullable RequestId request) {
        String call = request == null ? null : calls.remove(request);
        return call == null ? List.of() : List.of(call);
    }

    private static boolean isOfSubscription(JsonRpcNotification event) {
        return new String(event.toBytes(), StandardCharsets.UTF_8)
                .contains("\"io.modelcontextprotocol/subscriptionId\"");
    }
}
