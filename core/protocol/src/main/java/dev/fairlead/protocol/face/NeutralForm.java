package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.mrtr.InputRequest;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The form of parameters and results in stores: the JSON of their records, which is the same for
 * all revisions. A face is applied when they are sent.
 *
 * <p>Stores of versions before this form have frames of revision 2025-11-25. These have the same
 * JSON, with one difference: structured content that is not an object is wrapped in one. It can be
 * read as neutral, since an object is sent as it is. So the form needs no mark.
 */
public final class NeutralForm {
    private static final Map<String, Method<?, ?>> METHODS =
            Methods.ALL.stream()
                    .filter(method -> method.isIn(Revision.NEWEST_WITH_HANDSHAKE))
                    .collect(Collectors.toUnmodifiableMap(Method::name, Function.identity()));

    private NeutralForm() {}

    /**
     * Writes parameters.
     *
     * @throws IllegalArgumentException if they are against the protocol in every revision
     */
    public static <P extends RequestParams> RawJson writeParams(Method<P, ?> method, P params) {
        Conversation.check(params);
        return JsonCodec.of(method.params()).write(params);
    }

    /** Reads parameters that were written by {@link #writeParams}. */
    public static <P extends RequestParams> P readParams(Method<P, ?> method, RawJson params) {
        return JsonCodec.of(method.params()).read(params);
    }

    /** Writes a result. */
    public static <R extends Result> RawJson writeResult(Method<?, R> method, R result) {
        return JsonCodec.of(method.result()).write(result);
    }

    /**
     * Reads a result.
     *
     * @throws InvalidResultException if it does not fit the method
     */
    public static <R extends Result> R readResult(Method<?, R> method, RawJson result) {
        return HandshakeFace.readAs(method.result(), method, result, Omissions.SHARED);
    }

    /**
     * Returns stored parameters as a face writes them; those of an unknown method as they are.
     *
     * @return null where the request needs no parameters
     * @throws CapabilityException if the revision lacks the method, or cannot express the
     *     parameters
     */
    public static @Nullable RawJson paramsTo(WireFace face, String method, RawJson params) {
        Method<?, ?> known = METHODS.get(method);
        return known == null ? params : paramsTo(face, known, params);
    }

    private static <P extends RequestParams> @Nullable RawJson paramsTo(
            WireFace face, Method<P, ?> method, RawJson params) {
        return face.writeParams(method, readParams(method, params), null);
    }

    /**
     * Returns stored parameters of a request of the server as an entry of an {@code input_required}
     * answer and in a task; those of an unknown method as they are.
     */
    public static InputRequest inputRequest(String method, RawJson params) {
        Method<?, ?> known = METHODS.get(method);
        return known == null
                ? new InputRequest(method, (JsonObject) params.value())
                : PerRequestFace.inputRequest(known, readParams(known, params));
    }

    /**
     * Returns an answer to a method in the form of stores; one to an unknown method unchanged.
     *
     * @throws InvalidResultException if it does not fit the method
     */
    public static RawJson checkedResult(String method, RawJson result) {
        Method<?, ?> known = METHODS.get(method);
        return known == null ? result : checkedResult(known, result);
    }

    private static <R extends Result> RawJson checkedResult(Method<?, R> method, RawJson result) {
        try {
            return writeResult(method, readWhole(method, result));
        } catch (JsonBindingException e) {
            throw HandshakeFace.invalid(method, e);
        }
    }

    /**
     * Reads an answer that comes with a request. Unlike a result it can be refused, and then its
     * question is still open, while an unknown action would answer it as cancelled. Only roots are
     * read one by one: a client has the same roots in its next answer.
     *
     * @throws JsonBindingException if any other part of it cannot be read
     */
    public static <R extends Result> R readWhole(Method<?, R> method, RawJson answer) {
        JsonCodec<R> codec =
                method.equals(Methods.LIST_ROOTS)
                        ? Omissions.SHARED.tolerant(method.result(), "the answer to roots/list")
                        : JsonCodec.of(method.result())
                                .tolerant(
                                        (first, all) -> {
                                            throw new JsonBindingException(first);
                                        });
        return codec.read(answer);
    }

    /** Returns a stored result as a face writes it; that of an unknown method as it is. */
    public static RawJson resultTo(WireFace face, String method, RawJson result) {
        Method<?, ?> known = METHODS.get(method);
        return known == null ? result : resultTo(face, known, result);
    }

    private static <R extends Result> RawJson resultTo(
            WireFace face, Method<?, R> method, RawJson result) {
        return isComplete(face, method, result)
                ? face.beginResult(result.size()).members(result).endObject().finish()
                : face.writeResult(method, readResult(method, result));
    }

    /**
     * Returns whether a face writes a stored result as it is, except for the members that it adds
     * to every result.
     */
    private static boolean isComplete(WireFace face, Method<?, ?> method, RawJson result) {
        return method == Methods.CALL_TOOL
                && face.revision().era() == Era.PER_REQUEST
                && result.isObject()
                && result.member("_meta") == null
                && result.member(PerRequestFace.RESULT_TYPE) == null;
    }

    /**
     * Returns the result of a peer in the form of stores. One that is unreadable, or of an unknown
     * method, is stored unchanged: reading it then fails.
     */
    public static RawJson resultFrom(WireFace face, String method, RawJson result) {
        Method<?, ?> known = METHODS.get(method);
        return known == null ? result : resultFrom(face, known, result);
    }

    private static <R extends Result> RawJson resultFrom(
            WireFace face, Method<?, R> method, RawJson result) {
        try {
            return writeResult(method, face.readResult(method, result));
        } catch (InvalidResultException e) {
            return result;
        }
    }
}
