package dev.fairlead.jsonrpc;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonReader;
import dev.fairlead.json.JsonReader.Kind;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.MemberNames;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.MalformedMessageException.Ids;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the envelope of a message, or of each message of a batch, in one pass over the bytes. */
final class MessageParser {
    /** How many characters of a wrong text a message quotes. */
    private static final int EXCERPT = 100;

    private static final List<String> MEMBERS =
            List.of("jsonrpc", "id", "method", "params", "result", "error");

    static {
        MEMBERS.forEach(MemberNames::know);
        MemberNames.know("code", "message", "data");
    }

    /** The most values of a message: a tree of them takes some 200 MB at most. */
    private static final int MAX_VALUES = 1_000_000;

    private static final Set<String> ERROR_MEMBERS = Set.of("code", "message", "data");

    /** The most characters of an id and of the name of a method. */
    static final int MAX_NAME = 1_024;

    private final byte[] bytes;

    MessageParser(byte[] bytes) {
        this.bytes = bytes;
    }

    JsonRpcMessage parse() {
        Envelope envelope = new Envelope();
        try (JsonReader reader = new JsonReader(bytes, MAX_VALUES)) {
            if (reader.kind() == Kind.ARRAY) {
                Batch batch = batch(reader);
                reader.end();
                return batch;
            }
            envelope.read(reader);
            reader.end();
            return envelope.message();
        } catch (JsonException e) {
            throw new MalformedMessageException(
                    ErrorCode.PARSE_ERROR,
                    "Parse error: " + e.getMessage(),
                    new Ids(null, envelope.idsSoFar().answered()), // it is sent without an id
                    e);
        }
    }

    /** Reads what there is of a message that is not whole. */
    Ids idsOfBeginning() {
        Envelope envelope = new Envelope();
        try (JsonReader reader = new JsonReader(bytes, MAX_VALUES)) {
            if (reader.kind() == Kind.OBJECT) {
                envelope.read(reader);
            }
        } catch (JsonException e) { // where it was cut
        }
        return envelope.idsSoFar();
    }

    private static Batch batch(JsonReader reader) {
        List<JsonRpcMessage> messages = new ArrayList<>();
        List<JsonRpcErrorResponse> malformed = new ArrayList<>();
        reader.beginArray();
        while (reader.nextElement()) {
            if (messages.size() + malformed.size() == Batch.MAX_SIZE) {
                throw invalid("a batch may hold " + Batch.MAX_SIZE + " messages", Ids.NONE);
            }
            try {
                Envelope envelope = new Envelope();
                envelope.read(reader);
                messages.add(envelope.message());
            } catch (MalformedMessageException e) {
                malformed.add(e.response());
            }
        }
        if (messages.isEmpty() && malformed.isEmpty()) {
            throw invalid("a batch must not be empty", Ids.NONE);
        }
        return new Batch(messages, malformed);
    }

    private static MalformedMessageException invalid(String reason, Ids ids) {
        return new MalformedMessageException(
                ErrorCode.INVALID_REQUEST, "Invalid request: " + reason, ids, null);
    }

    /**
     * The members of one message. The whole object is read before anything is judged, so that an
     * error can carry the id wherever it stands.
     */
    private static final class Envelope {
        private int seen; // one bit for each known member
        private boolean version;
        private boolean hasId;
        private boolean nullId;
        private boolean nullMethod;
        private boolean nullResult;
        private @Nullable RequestId id;
        private @Nullable String method;
        private @Nullable RawJson params;
        private @Nullable RawJson result;
        private @Nullable JsonRpcError error;
        private @Nullable String fault;

        void read(JsonReader reader) {
            if (reader.kind() != Kind.OBJECT) {
                fault("a message must be an object but was " + reader.kind().phrase());
                reader.skip();
                return;
            }
            reader.beginObject();
            for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                int bit = bit(name);
                if (bit > 1 && (seen & bit) != 0) {
                    fault("the member " + name + " stands twice");
                }
                seen |= bit;
                member(name, reader);
            }
        }

        private void fault(String reason) {
            if (fault == null) {
                fault = reason;
            }
        }

        private void member(String name, JsonReader reader) {
            switch (name) {
                case "jsonrpc" ->
                        version =
                                reader.kind() == Kind.STRING
                                        ? reader.isString("2.0")
                                        : skip(reader);
                case "id" -> readId(reader);
                case "method" -> readMethod(reader);
                case "params" -> params = object(name, reader);
                case "result" -> {
                    nullResult = reader.kind() == Kind.NULL;
                    result = object(name, reader);
                }
                case "error" -> error = readError(reader);
                default -> reader.skip();
            }
        }

        private static boolean skip(JsonReader reader) {
            reader.skip();
            return false;
        }

        private void readId(JsonReader reader) {
            hasId = true;
            switch (reader.kind()) {
                case STRING -> {
                    String text = reader.string();
                    if (text.length() > MAX_NAME) {
                        fault(
                                "id may have %s characters but has %s"
                                        .formatted(MAX_NAME, text.length()));
                    } else {
                        id = RequestId.of(text);
                    }
                }
                case NULL -> nullId = true;
                default -> {
                    JsonValue value = reader.value();
                    try {
                        id = new RequestId(value);
                    } catch (IllegalArgumentException e) {
                        fault("id must be a string or a 64-bit integer");
                    }
                }
            }
        }

        private void readMethod(JsonReader reader) {
            if (reader.kind() == Kind.STRING) {
                String text = reader.string();
                if (text.length() > MAX_NAME) {
                    fault(
                            "method may have %s characters but has %s"
                                    .formatted(MAX_NAME, text.length()));
                } else {
                    method = text;
                }
            } else if (reader.kind() == Kind.NULL) {
                nullMethod = true;
            } else {
                fault("method must be a string but was " + reader.kind().phrase());
                reader.skip();
            }
        }

        /** An empty array is the empty object of serializers that do not know the difference. */
        private @Nullable RawJson object(String name, JsonReader reader) {
            Kind kind = reader.kind();
            if (kind == Kind.OBJECT) {
                return reader.raw();
            }
            boolean isEmpty = reader.skipsEmptyArray();
            if (!isEmpty && kind != Kind.NULL) {
                fault(name + " must be an object but was " + kind.phrase());
            }
            return isEmpty ? RawJson.EMPTY_OBJECT : null;
        }

        private @Nullable JsonRpcError readError(JsonReader reader) {
            if (reader.kind() == Kind.NULL) {
                return null;
            }
            if (reader.kind() != Kind.OBJECT) {
                fault("error must be an object but was " + found(reader));
                return null;
            }
            Integer code = null;
            String message = null;
            JsonValue data = null;
            Set<String> names = new HashSet<>();
            reader.beginObject();
            for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                if (ERROR_MEMBERS.contains(name) && !names.add(name)) {
                    fault("the member error." + name + " stands twice");
                }
                if (name.equals("code") && reader.kind() == Kind.NUMBER) {
                    code = intValue(reader.number());
                } else if (name.equals("message") && reader.kind() == Kind.STRING) {
                    message = reader.string();
                } else if (name.equals("data")) {
                    data = reader.value();
                } else {
                    reader.skip();
                }
            }
            if (code == null || message == null) {
                fault(
                        "error must have an integer code and a message"
                                + (message == null ? "" : ": " + excerpt(message)));
                return null;
            }
            return new JsonRpcError(code, message, data);
        }

        /** Reads a value that should be something else, and returns it for a message. */
        private static String found(JsonReader reader) {
            String phrase = reader.kind().phrase();
            if (reader.kind() != Kind.STRING) {
                reader.skip();
                return phrase;
            }
            return phrase + ": " + excerpt(reader.string());
        }

        private static String excerpt(String given) {
            String text = given.replaceAll("\\p{C}", "?");
            int end =
                    text.offsetByCodePoints(
                            0, Math.min(EXCERPT, text.codePointCount(0, text.length())));
            String excerpt = end < text.length() ? text.substring(0, end) + "…" : text;
            return JsonValue.of(excerpt).toJson();
        }

        private static @Nullable Integer intValue(BigDecimal number) {
            try {
                return number.precision() - number.scale() > 10 ? null : number.intValueExact();
            } catch (ArithmeticException e) {
                return null;
            }
        }

        private MalformedMessageException malformed(String reason) {
            Ids ids = idsSoFar();
            boolean isUnknown = ids.equals(Ids.NONE);
            return invalid(reason, isUnknown ? new Ids(id, id) : ids);
        }

        /** A response is known by its members, so that its id is not sent back. */
        Ids idsSoFar() {
            boolean isCall = has("method") && !nullMethod;
            boolean isAnswer = !isCall && (has("result") || has("error"));
            return new Ids(isCall ? id : null, isAnswer ? id : null);
        }

        private boolean has(String name) {
            return (seen & bit(name)) != 0;
        }

        private static int bit(String name) {
            return 1 << MEMBERS.indexOf(name) + 1; // the first bit stands for all others
        }

        JsonRpcMessage message() {
            if (fault != null) {
                throw malformed(fault);
            }
            if (!version) {
                throw malformed("jsonrpc must be \"2.0\"");
            }
            if (method != null) {
                return call(method);
            }
            return response();
        }

        private JsonRpcMessage call(String name) {
            if (result != null || error != null) {
                throw malformed("a message has either a method or a result or an error");
            }
            if (nullId) {
                throw malformed("id must not be null");
            }
            return id == null
                    ? new JsonRpcNotification(name, params)
                    : new JsonRpcRequest(id, name, params);
        }

        /** A member that is null is absent, and a result that is null beside no error is empty. */
        private JsonRpcMessage response() {
            if (nullResult && error == null) {
                result = RawJson.EMPTY_OBJECT;
            }
            if ((result == null) == (error == null)) {
                throw malformed("a message has a method, or either a result or an error");
            }
            if (error != null) {
                return new JsonRpcErrorResponse(id, error);
            }
            if (id == null || result == null) {
                throw malformed(
                        hasId
                                ? "id must be a string or a 64-bit integer"
                                : "a result must have an id");
            }
            return new JsonRpcResponse(id, result);
        }
    }
}
