package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonWriter;
import dev.fairlead.json.MemberNames;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The wire form of a revision. Immutable and thread-safe. */
public abstract sealed class WireFace permits HandshakeFace, PerRequestFace {
    static {
        MemberNames.know( // members of no record
                "_meta",
                MetaKey.PROGRESS_TOKEN,
                MetaKey.PROTOCOL_VERSION,
                MetaKey.CLIENT_CAPABILITIES,
                MetaKey.CLIENT_INFO,
                MetaKey.SERVER_INFO,
                PerRequestFace.RESULT_TYPE,
                PerRequestFace.INPUT_RESPONSES,
                PerRequestFace.REQUEST_STATE,
                "ttlMs",
                "cacheScope",
                "type",
                "properties",
                "required");
    }

    final Revision revision;
    final Omissions omissions;
    private final Map<String, Method<?, ?>> methods = new HashMap<>();
    private final Map<String, Notification<?>> notifications = new HashMap<>();

    WireFace(Revision revision, Omissions omissions) {
        this.revision = revision;
        this.omissions = omissions;
        for (Method<?, ?> method : Methods.ALL) {
            if (method.isIn(revision)) {
                methods.put(method.name(), method);
            }
        }
        for (Notification<?> notification : Notifications.ALL) {
            if (notification.isIn(revision)) {
                notifications.put(notification.name(), notification);
            }
        }
    }

    /** Returns the face of a revision. */
    public static WireFace of(Revision revision) {
        return switch (revision.era()) {
            case HANDSHAKE -> HandshakeFace.of(revision);
            case PER_REQUEST -> PerRequestFace.of(revision);
        };
    }

    /** Returns this face, which reports omitted parts of messages there. */
    public abstract WireFace reporting(Omissions omissions);

    /** Returns the revision. */
    public final Revision revision() {
        return revision;
    }

    /** Returns the method of this name that the given side may receive; empty means -32601. */
    public Optional<Method<?, ?>> method(String name, Side receiver) {
        Method<?, ?> method = methods.get(name);
        return method != null && method.receiver().includes(receiver)
                ? Optional.of(method)
                : Optional.empty();
    }

    /**
     * Returns the notification of this name that the given side may receive; empty means that it is
     * ignored.
     */
    public final Optional<Notification<?>> notification(String name, Side receiver) {
        Notification<?> notification = notifications.get(name);
        return notification != null && notification.receiver().includes(receiver)
                ? Optional.of(notification)
                : Optional.empty();
    }

    /** Returns whether the revision has this method. */
    public final boolean has(Method<?, ?> method) {
        return method.isIn(revision);
    }

    /** Returns whether the revision has this notification; where it has not, it is not sent. */
    public final boolean has(Notification<?> notification) {
        return notification.isIn(revision);
    }

    final void require(Method<?, ?> method) {
        if (!has(method)) {
            throw lacks(method.name(), method.capability());
        }
    }

    final void require(Notification<?> notification) {
        if (!has(notification)) {
            throw lacks(notification.name(), notification.capability());
        }
    }

    private CapabilityException lacks(String name, @Nullable String capability) {
        return new CapabilityException(
                capability == null ? name : capability,
                name + " does not exist in revision " + revision);
    }

    /**
     * Returns the capability that the receiver of a method must have declared; empty for none, as
     * for completion before revision 2025-03-26.
     */
    public abstract Optional<String> capability(Method<?, ?> method);

    /**
     * Reads the parameters of a request.
     *
     * @param params as they came; null where there were none
     * @throws JsonRpcException with -32602 if they do not fit; the message names the member
     */
    public abstract <P extends RequestParams> Received<P> readParams(
            Method<P, ?> method, @Nullable RawJson params);

    /**
     * Reads the parameters of a request as if they asked for no task, with any value of {@code
     * task}: for receivers that did not declare that they run such requests as tasks. A revision
     * without tasks always reads so.
     *
     * @param params the parameters as received; null for none
     * @throws JsonRpcException with -32602 if they do not fit; the message names the member
     */
    public abstract <P extends RequestParams> Received<P> readPlainParams(
            Method<P, ?> method, @Nullable RawJson params);

    /**
     * Writes the parameters of a request.
     *
     * @param token asks for progress; null where none is wanted
     * @return null where the request needs no parameters
     * @throws CapabilityException if the revision lacks the method, or has no words for these
     *     parameters
     * @throws IllegalArgumentException if they are against the protocol in every revision
     */
    public abstract <P extends RequestParams> @Nullable RawJson writeParams(
            Method<P, ?> method, P params, @Nullable ProgressToken token);

    /**
     * Reads a result, without the parts that cannot be read: elements of lists, and members that
     * need not be there. Each omission leads to the cautious decision: a tool has fewer hints, a
     * peer fewer capabilities, an answer is no consent.
     *
     * @throws InvalidResultException if the rest does not fit the method
     */
    public abstract <R extends Result> R readResult(Method<?, R> method, RawJson result);

    /**
     * Reads the answer to a request that asked for a task: the task, or the result where the peer
     * passed that over.
     *
     * @throws InvalidResultException if it is neither
     */
    public abstract <R extends Result> Outcome<R> readOutcome(Method<?, R> method, RawJson result);

    /**
     * Writes a result.
     *
     * @throws IllegalStateException if the revision has no words for it
     */
    public abstract <R extends Result> RawJson writeResult(Method<?, R> method, R result);

    /**
     * Begins a complete result with the members that the revision adds to each; its own members,
     * without {@code _meta}, and its end follow.
     *
     * @param expected an estimate of the bytes of its own members
     */
    public abstract JsonWriter beginResult(int expected);

    /**
     * Returns the structured content of a tool in the form of the revision; null if the revision
     * has none.
     */
    public abstract @Nullable RawJson structuredContent(RawJson content);

    /**
     * Writes the outcome of a request: its result, or the task that it became.
     *
     * @throws IllegalStateException if the revision has no words for it
     */
    public abstract <R extends Result> RawJson writeOutcome(
            Method<?, R> method, Outcome<R> outcome);

    /**
     * Reads the parameters of a notification, without the parts that cannot be read.
     *
     * @return empty if they do not fit: then the notification is ignored, since it cannot be
     *     answered, and named in the log
     */
    public final <P extends NotificationParams> Optional<P> readNotification(
            Notification<P> notification, @Nullable RawJson params) {
        try {
            return Optional.of(
                    omissions
                            .tolerant(notification.params(), notification.name())
                            .read(params == null ? RawJson.EMPTY_OBJECT : params));
        } catch (JsonBindingException | JsonException e) {
            omissions.ignored(notification.name(), e);
            return Optional.empty();
        }
    }

    /**
     * Writes the parameters of a notification.
     *
     * @return null where it needs none
     * @throws CapabilityException if the revision lacks it; see {@link #has(Notification)}
     */
    public abstract <P extends NotificationParams> @Nullable RawJson writeNotification(
            Notification<P> notification, P params);

    /** Writes a notification, see {@link #writeNotification}. */
    public final <P extends NotificationParams> JsonRpcNotification notification(
            Notification<P> notification, P params) {
        return new JsonRpcNotification(
                notification.name(), writeNotification(notification, params));
    }

    /**
     * Returns the error in the form of the revision, such as without codes that it does not have.
     */
    public abstract JsonRpcError error(JsonRpcError error);

    /**
     * Returns the refusal of a request whose client lacks a capability; empty if the revision has
     * no special one.
     */
    public abstract Optional<RequestRefusedException> refusal(CapabilityException missing);

    /** Returns the declared capabilities of a client that this revision has. */
    public abstract ClientCapabilities limit(ClientCapabilities capabilities);

    /** Returns the declared capabilities of a server that this revision has. */
    public abstract ServerCapabilities limit(ServerCapabilities capabilities);

    @Override
    public final String toString() {
        return getClass().getSimpleName() + " " + revision;
    }
}
