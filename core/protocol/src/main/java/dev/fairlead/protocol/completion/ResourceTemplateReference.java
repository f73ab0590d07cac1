package dev.fairlead.protocol.completion;

import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.OtherMembers;

import java.util.Objects;

/**
 * A resource template whose variable is completed.
 *
 * @param uri the URI template, or a URI
 * @param otherMembers members that this library does not know; written back as they came
 */
@JsonName("ref/resource")
public record ResourceTemplateReference(String uri, @OtherMembers JsonObject otherMembers)
        implements Reference {
    public ResourceTemplateReference {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(otherMembers, "otherMembers");
    }

    /** Creates an instance without the optional members. */
    public ResourceTemplateReference(String uri) {
        this(uri, JsonObject.EMPTY);
    }
}
