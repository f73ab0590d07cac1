package shared;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonAlways;
import dev.fairlead.json.JsonDiscriminator;
import dev.fairlead.json.JsonInline;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonOneOrMany;
import dev.fairlead.json.OtherMembers;
import dev.fairlead.json.Range;
import dev.fairlead.json.Size;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Not read where this file is not compiled along, and so never. */
@NullMarked
@Doc("What was ordered")
public record Order(
        @JsonName("no") @Range(min = 1) int number,
        @Nullable String note,
        @JsonAlways @Nullable Pay pay,
        List<@Nullable String> lines,
        @JsonOneOrMany List<Id> ids,
        @Default("FAST") Pace pace,
        @OtherMembers JsonObject others) {

    /** One that is not the canonical constructor, with as many parameters. */
    public Order(
            long number,
            String note,
            Pay pay,
            List<String> lines,
            List<Id> ids,
            Pace pace,
            JsonObject o) {
        this((int) number, note, pay, List.copyOf(lines), ids, pace, o);
    }

    @JsonInline
    public record Id(@Size(min = 1) String value) {}

    @Doc("How fast")
    public enum Pace {
        FAST,
        @JsonName("slow")
        @Doc("Takes a while")
        SLOW
    }

    @JsonDiscriminator(value = "by", absent = "cash")
    public sealed interface Pay {
        @JsonName("cash")
        record Cash() implements Pay {}

        record Card(String number) implements Pay {}

        @JsonInline
        record Code(String text) implements Pay {}
    }
}
