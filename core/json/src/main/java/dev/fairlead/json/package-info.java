/**
 * JSON values, reading and writing, binding to Java types, and JSON Schema.
 *
 * <p>{@link dev.fairlead.json.JsonValue} is any JSON as a tree, {@link dev.fairlead.json.RawJson}
 * as its text. {@link dev.fairlead.json.JsonCodec} binds JSON to Java types and back; {@link
 * dev.fairlead.json.JsonSchema} describes the same types, and checks values by schemas of any
 * origin. Everything here is immutable and thread-safe, {@link dev.fairlead.json.JsonReader} and
 * {@link dev.fairlead.json.JsonWriter} aside. Depth, the length of numbers, the number of reported
 * violations and the cost of regular expressions are bounded.
 *
 * <h2>Types and their JSON</h2>
 *
 * <table>
 * <caption>How types map</caption>
 * <thead><tr><th>Java</th><th>JSON</th></tr></thead>
 * <tbody>
 * <tr><td>record</td><td>object; a member for each component, in their order</td></tr>
 * <tr><td>record with {@link dev.fairlead.json.JsonInline}</td><td>the value of its only component; null if that is
 *     optional and has none</td></tr>
 * <tr><td>sealed interface of records</td><td>object with a discriminator ({@link dev.fairlead.json.JsonDiscriminator},
 *     else {@code type}) whose value is the {@link dev.fairlead.json.JsonName} or simple name of the record. A case with
 *     {@code @JsonInline} is identified by the kind of its value; over a {@link dev.fairlead.json.JsonObject} it takes the
 *     objects that no other case does</td></tr>
 * <tr><td>{@code String}</td><td>string</td></tr>
 * <tr><td>{@code boolean}, {@code byte} to {@code long}, {@code float}, {@code double}, their boxes, {@code BigInteger},
 *     {@code BigDecimal}</td><td>boolean, number; {@code 5.0} is an integer, a number out of range is a violation</td></tr>
 * <tr><td>enum</td><td>string: the {@code @JsonName} or name of the constant; {@link dev.fairlead.json.Doc} gives it a
 *     title</td></tr>
 * <tr><td>{@code List}, {@code Collection}, arrays</td><td>array; a list marked {@link dev.fairlead.json.JsonOneOrMany}
 *     also a single element</td></tr>
 * <tr><td>{@code Set}</td><td>array without equal elements; those that differ in Java alone, such as
 *     {@code 1.0} and {@code 1.00}, are written once</td></tr>
 * <tr><td>{@code Map}</td><td>object; keys are strings, enums, numbers, or inline records of these</td></tr>
 * <tr><td>{@code byte[]}</td><td>string in Base64</td></tr>
 * <tr><td>{@code Instant}, {@code OffsetDateTime}, {@code LocalDate}, {@code LocalDateTime}, {@code LocalTime}, {@code
 *     Duration}, {@code URI}, {@code UUID}</td><td>string by ISO 8601, RFC 3986 or RFC 9562, as their schema promises; a value
 *     without such a text, such as a date-time of the year 10000, is refused when it is written</td></tr>
 * <tr><td>{@code Optional}</td><td>the value, or an absent member</td></tr>
 * <tr><td>{@code JsonValue} and its cases, {@code RawJson}, {@code JsonSchema}</td><td>as it stands</td></tr>
 * <tr><td>{@code Object}</td><td>written by the class of the value, read as a {@code JsonValue}</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Type arguments are given by a {@link dev.fairlead.json.TypeRef}. Records may have any
 * visibility; in a named module their package must be open to {@code dev.fairlead.json}, unless
 * they are public and exported, or a {@link dev.fairlead.json.JsonTypes} is given a lookup that
 * reaches them.
 *
 * <h2>Absent, null, unknown</h2>
 *
 * <p>A member must be there unless its component is {@code @Nullable} (then it is null), an {@code
 * Optional} (then empty) or has a {@link dev.fairlead.json.Default}; this also holds for lists and
 * maps. An explicit null counts as absent, but for a {@code JsonValue} or {@code RawJson}, which
 * keep it. A component without value is left out when written, or written as null with {@link
 * dev.fairlead.json.JsonAlways}. Unknown members are passed over, kept by {@link
 * dev.fairlead.json.OtherMembers}, or refused by a {@linkplain dev.fairlead.json.JsonCodec#strict
 * strict} codec. A member that stands twice is refused.
 *
 * <p>An empty array in the place of an object is an object without members, but for a strict codec:
 * serializers that do not know the difference write it. {@link dev.fairlead.json.Otherwise} gives a
 * member that cannot be read a safe value, and a {@linkplain dev.fairlead.json.JsonCodec#tolerant
 * tolerant} codec leaves out parts that it cannot read: for messages of peers of which one bad part
 * must not cost the rest.
 *
 * <h2>Constraints and schema</h2>
 *
 * <p>{@link dev.fairlead.json.Range}, {@link dev.fairlead.json.Size}, {@link
 * dev.fairlead.json.Matches} and {@link dev.fairlead.json.Format} are checked when a record is read
 * and stand in its schema, as do {@code Doc}, {@code Default} and annotations with a {@link
 * dev.fairlead.json.Keyword}. An exception of the constructor of a record is a violation, too.
 * Reading continues after a violation, so that a {@link dev.fairlead.json.JsonBindingException}
 * names them all, each with its path: {@code items[2].name must be a string but was a number}.
 *
 * <p>Schemas of the dialects 2020-12, 2019-09 and draft-07 can be checked and used for validation;
 * those generated are 2020-12.
 */
@org.jspecify.annotations.NullMarked
package dev.fairlead.json;
