//! The roles of people, and who may use a route.

use std::fmt;
use std::str::FromStr;

/// The role of a person in the class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Looks at what is published.
    #[default]
    Guest,
    /// Submits bots with a team.
    Student,
    /// Helps students: sees their submissions and faults, not their grades or the seeds.
    Assistant,
    /// Runs the class.
    Teacher,
    /// Runs the site as well: appoints teachers and administrators.
    Admin,
}

impl Role {
    /// All roles, the least powerful first.
    pub const ALL: [Role; 5] =
        [Role::Guest, Role::Student, Role::Assistant, Role::Teacher, Role::Admin];

    /// Returns its name, as in a roster.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Guest => "guest",
            Role::Student => "student",
            Role::Assistant => "assistant",
            Role::Teacher => "teacher",
            Role::Admin => "admin",
        }
    }

    /// Returns whether it belongs to the staff.
    pub fn is_staff(self) -> bool {
        self >= Role::Assistant
    }

    /// Returns whether it may give another person a new join code, which is as good as that
    /// person's password.
    pub fn may_admit(self, other: Role) -> bool {
        match self {
            Role::Admin => true,
            Role::Teacher => other < Role::Teacher,
            _ => false,
        }
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        Role::ALL.into_iter().find(|role| role.as_str() == text).ok_or_else(|| {
            let names = Role::ALL.map(Role::as_str).join(", ");
            format!("expected one of the roles {names}, got {text:?}")
        })
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether visitors who are not signed in may.
    pub strangers: bool,
    /// The roles that may.
    pub roles: &'static [Role],
}

impl Access {
    /// Everybody.
    pub const ALL: Access = Access { strangers: true, roles: &Role::ALL };
    /// Everybody who is signed in.
    pub const SIGNED_IN: Access = Access { strangers: false, roles: &Role::ALL };
    /// Students.
    pub const STUDENTS: Access = Access { strangers: false, roles: &[Role::Student] };
    /// Students and the staff.
    pub const CLASS: Access = Access {
        strangers: false,
        roles: &[Role::Student, Role::Assistant, Role::Teacher, Role::Admin],
    };
    /// Assistants, teachers and administrators.
    pub const STAFF: Access =
        Access { strangers: false, roles: &[Role::Assistant, Role::Teacher, Role::Admin] };
    /// Teachers and administrators.
    pub const TEACHERS: Access = Access { strangers: false, roles: &[Role::Teacher, Role::Admin] };
    /// Administrators.
    pub const ADMINS: Access = Access { strangers: false, roles: &[Role::Admin] };

    /// Returns whether a visitor with this role, `None` for a stranger, may use the route.
    pub fn allows(&self, role: Option<Role>) -> bool {
        match role {
            None => self.strangers,
            Some(role) => self.roles.contains(&role),
        }
    }
}
