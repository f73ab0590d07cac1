package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.TypeCheck;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.ToStringSerializer;

import java.beans.ConstructorProperties;
import java.beans.Transient;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Types that already serve another library of JSON. */
class ForeignAnnotationsTest {
    record Renamed(@JsonProperty("first_name") String firstName) {}

    record Hidden(String name, @JsonIgnore String secret) {}

    record HiddenByAccessor(String secret) {
        @Override
        @JsonIgnore
        public String secret() {
            return secret;
        }
    }

    record HiddenByParameter(String secret) {
        HiddenByParameter(@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String secret) {
            this.secret = secret;
        }
    }

    interface Secretive {
        @JsonIgnore
        String secret();
    }

    record HiddenByInterface(String secret) implements Secretive {}

    record WriteOnly(@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String secret) {}

    @JsonIgnoreProperties("secret")
    record HiddenByClass(String secret) {}

    record Formatted(@JsonFormat(pattern = "yyyy") java.time.LocalDate date) {}

    record Alias(@JsonAlias("town") String city) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record LeftOut(List<String> names) {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Named(String firstName) {}

    record Serialized(@JsonSerialize(using = ToStringSerializer.class) long id) {}

    record Unwrapped(@JsonUnwrapped Plain plain) {}

    record Others(@JsonAnyGetter Map<String, String> others) {}

    record Derived(String name) {
        @JsonProperty
        public String upper() {
            return name;
        }
    }

    record Delegating(String text) {
        @JsonCreator
        static Delegating of(String text) {
            return new Delegating(text);
        }
    }

    record Value(String text) {
        @JsonValue
        String value() {
            return text;
        }
    }

    @JsonAutoDetect(getterVisibility = JsonAutoDetect.Visibility.NONE)
    record Invisible(String name) {}

    /** A client must not set the member that this constructor leaves out. */
    record FromOneOfTwo(String name, boolean isAdmin) {
        @JsonCreator
        FromOneOfTwo(@JsonProperty("name") String name) {
            this(name, false);
        }
    }

    record OfBeans(String name, boolean isAdmin) {
        @ConstructorProperties("name")
        OfBeans(String name) {
            this(name, false);
        }
    }

    record NotRead(String name) {
        @JsonCreator(mode = JsonCreator.Mode.DISABLED)
        NotRead {}
    }

    record HiddenBean(String secret) {
        @Override
        @Transient
        public String secret() {
            return secret;
        }
    }

    interface SecretiveBean {
        @Transient
        String secret();
    }

    record HiddenByInterfaceOfBean(String secret) implements SecretiveBean {}

    enum Bodies {
        A {
            @Override
            @JsonValue
            String text() {
                return "a";
            }
        };

        abstract String text();
    }

    record Composed(@Secret String secret) {}

    record Inner(Hidden hidden) {}

    record Listed(Map<String, List<Optional<Hidden>>> hidden) {}

    enum Renaming {
        @JsonProperty("a")
        A
    }

    enum Numbered {
        A;

        @JsonValue
        int number() {
            return 1;
        }
    }

    record Constants(Renaming renaming) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes(@JsonSubTypes.Type(value = Union.One.class, name = "1"))
    sealed interface Union {
        record One(String name) implements Union {}
    }

    record Plain(String name) {}

    record Described(@JsonPropertyDescription("The city") String city) {}

    record DescribedByAccessor(String city) {
        @Override
        @JsonPropertyDescription("The city")
        public String city() {
            return city;
        }
    }

    @JsonClassDescription("A place")
    record DescribedClass(String city) {}

    enum DescribedConstant {
        @JsonPropertyDescription("The first")
        A
    }

    record DefaultElsewhere(@JsonProperty(defaultValue = "3") int days) {}

    record RequiredOptional(@JsonProperty(required = true) Optional<String> city) {}

    record RequiredNullable(@JsonProperty(required = true) @Nullable String city) {}

    record RequiredDefault(@JsonProperty(required = true) @Default("3") int days) {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                Renamed.class,
                Hidden.class,
                HiddenByAccessor.class,
                HiddenByParameter.class,
                HiddenByInterface.class,
                HiddenByClass.class,
                WriteOnly.class,
                Formatted.class,
                Alias.class,
                LeftOut.class,
                Named.class,
                Serialized.class,
                Unwrapped.class,
                Others.class,
                Derived.class,
                Delegating.class,
                Value.class,
                FromOneOfTwo.class,
                OfBeans.class,
                NotRead.class,
                HiddenBean.class,
                HiddenByInterfaceOfBean.class,
                Bodies.class,
                Invisible.class,
                Composed.class,
                Inner.class,
                Listed.class,
                Renaming.class,
                Numbered.class,
                Constants.class,
                Union.class,
                Union.One.class,
                Described.class,
                DescribedByAccessor.class,
                DescribedClass.class,
                DescribedConstant.class,
                DefaultElsewhere.class,
                RequiredOptional.class,
                RequiredNullable.class,
                RequiredDefault.class
            })
    void aTypeThatAnotherLibraryWouldWriteOtherwiseIsRefused(Class<?> type) throws Exception {
        for (Class<?> each : List.of(type, byAnotherLoader(type))) {
            assertThatThrownBy(() -> JsonCodec.of(each))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .containsPattern(
                            " has @\\w+, .* of (Jackson|Java Beans) and (is )?not read here");
        }
    }

    /** Loads a class as frameworks load applications: its annotations are found by reflection. */
    private static Class<?> byAnotherLoader(Class<?> type) throws ClassNotFoundException {
        ClassLoader parent = type.getClassLoader();
        return new ClassLoader(parent) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                    throws ClassNotFoundException {
                if (!name.startsWith(ForeignAnnotationsTest.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                return known == null ? define(name) : known;
            }

            private Class<?> define(String name) throws ClassNotFoundException {
                try (InputStream in =
                        parent.getResourceAsStream(name.replace('.', '/') + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }.loadClass(type.getName());
    }

    @Test
    void theMessageNamesTheMemberTheLibraryAndTheWay() {
        assertThatThrownBy(() -> JsonCodec.of(Renamed.class))
                .hasMessage(
                        Renamed.class.getName()
                                + ".firstName has @JsonProperty, which is of Jackson and not read"
                                + " here: write @JsonName with the same name beside it");
        assertThatThrownBy(() -> JsonCodec.of(Inner.class))
                .hasMessage(
                        Inner.class.getName()
                                + ".hidden: "
                                + Hidden.class.getName()
                                + ".secret has @JsonIgnore, which is of Jackson and not read here:"
                                + " use a record without the hidden members");
        assertThatThrownBy(() -> JsonCodec.of(Described.class))
                .hasMessage(
                        Described.class.getName()
                                + ".city has @JsonPropertyDescription, which is of Jackson and not"
                                + " read here: write @Doc with the same text beside it");
        assertThatThrownBy(() -> JsonCodec.of(DefaultElsewhere.class))
                .hasMessageEndingWith(": write @Default with the same value beside it");
        assertThatThrownBy(() -> JsonCodec.of(RequiredOptional.class))
                .hasMessageEndingWith(
                        ": leave out required, or make the component one that must be there");
    }

    @Doc("Both")
    @JsonClassDescription("Both")
    @JsonPropertyOrder({"name", "id"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Both(
            @JsonProperty(defaultValue = "3") @Default("3") int days,
            @JsonPropertyDescription("") Optional<String> empty,
            @JsonPropertyDescription("Seen") @Doc("Seen") @JsonProperty @Nullable String seen,
            @JsonProperty("first_name") @JsonName("first_name") String firstName,
            @JsonProperty(required = true) String id,
            @JsonIgnore(false) String shown,
            Kind kind) {
        @JsonCreator
        Both {}
    }

    enum Kind {
        @JsonProperty("k")
        @JsonName("k")
        KNOWN
    }

    @Test
    void whatChangesNothingOrStandsBesideOurOwnIsTaken() throws Exception {
        assertThat(
                        JsonCodec.of(Both.class)
                                .write(
                                        new Both(
                                                3,
                                                Optional.empty(),
                                                null,
                                                "Ada",
                                                "1",
                                                "s",
                                                Kind.KNOWN)))
                .hasToString(
                        "{\"days\":3,\"first_name\":\"Ada\",\"id\":\"1\",\"shown\":\"s\",\"kind\":\"k\"}");
        Class<?> other = byAnotherLoader(Both.class);
        assertThatCode(() -> JsonCodec.of(other)).doesNotThrowAnyException();
    }

    /** Libraries that are not on the class path of these tests. */
    @ParameterizedTest
    @CsvSource({
        "com.google.gson.annotations.SerializedName, alternate, '', false",
        "com.google.gson.annotations.SerializedName, value, '', true",
        "jakarta.json.bind.annotation.JsonbProperty, nillable, '', false",
        "example.OfAnAuthor, value, com.squareup.moshi.JsonQualifier, false",
        "example.OfAnAuthor, value, java.lang.annotation.Documented, true"
    })
    void otherValuesOfNamesAndAnnotationsThatStandForOthersAreNotPassedOver(
            String annotation, String value, String inside, boolean isTaken) {
        ThrowingCallable check =
                () ->
                        TypeCheck.checkForeign(
                                "city",
                                annotation,
                                Map.of(value, "city"),
                                List.of(inside),
                                new TypeCheck.Beside("city", false, false, false));
        if (isTaken) {
            assertThatCode(check).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(check).hasMessageContaining("not read here");
        }
    }

    /** The class of a value decides where a component is an Object. */
    record Any(Object value) {}

    @Test
    void theValueOfAnObjectIsRefusedWhenItIsWritten() {
        assertThatThrownBy(() -> JsonCodec.of(Any.class).write(new Any(new Hidden("a", "b"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("secret has @JsonIgnore");
    }
}
